/** The version of this package, for `fermata --version`. */
import { readFileSync } from 'node:fs';

export function packageVersion(): string {
  const manifest = import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json';
  const { version } = JSON.parse(readFileSync(new URL(manifest, import.meta.url), 'utf8')) as { version: string };
  return version;
}
