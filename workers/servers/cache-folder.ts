/** Where downloaded server programs are kept between projects. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import type { Tool } from './tools.ts';

/** The cache folder of this user: `$XDG_CACHE_HOME/fermata`, or what the operating system has in its place. */
function cacheFolder(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = env['HOME'] ?? homedir();
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'fermata');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'fermata');
  if (platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'), 'fermata', 'cache');
  return join(home, '.cache', 'fermata');
}

/** Path of a tool's executable in the cache, whether it is there or not. */
export function cachedToolPath(tool: Tool, env: Environment, platform: NodeJS.Platform = process.platform): string {
  return join(cacheFolder(env, platform), `${tool.name}-${tool.version}`, executableName(tool.name, platform));
}

export function executableName(name: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? `${name}.exe` : name;
}
