/**
 * Makes a clean clone ready: installs the locked packages where they are missing or older than the lock file.
 * Plain JavaScript without imports from packages, since it runs before there are any.
 *
 * 1. Install scripts of packages do not run: nothing of ours depends on one (`docs/decisions/0005-no-install-scripts.md`).
 * 2. Nothing is written to standard output, so a command behind it may print JSON.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Fermata needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

// npm writes this file last, so an interrupted installation is not taken for a whole one.
const marker = `${root}/node_modules/.package-lock.json`;
const isFresh = existsSync(marker) && statSync(marker).mtimeMs >= statSync(`${root}/package-lock.json`).mtimeMs;
if (!isFresh) {
  console.error('Installing packages (npm ci) …');
  const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (npm.status !== 0) {
    console.error('npm ci failed; see its messages above. Check that the npm registry can be reached, then try again.');
    process.exit(npm.status ?? 1);
  }
}
