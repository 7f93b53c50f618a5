/**
 * Checks the package as others get it: packs it, looks at what is in it, and uses it from an empty project.
 *
 * 1. The tarball holds every file that `exports` and `bin` name, and no test, tool or machine path.
 * 2. publint and attw (ESM only) find nothing.
 * 3. Installed with its dependencies alone, without install scripts and without the condition `fermata-source`, every
 *    entry can be imported, and npm warns of no engine.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
/** What has no business in the package. */
const FOREIGN = /^((test|bench|docs|examples|scripts|node_modules)\/|\.)|tsconfig|\.tsbuildinfo$|\.test\./;
const folder = mkdtempSync(join(tmpdir(), 'fermata-package-'));

function step(name: string, run: () => void): void {
  console.log(`package: ${name}`);
  run();
}

function tool(name: string, args: readonly string[]): void {
  execFileSync(process.execPath, [join(root, 'node_modules', name), ...args], { cwd: root, stdio: 'inherit' });
}

/** Packs the package into the temporary folder; gives the tarball and the files in it. */
function pack(): { readonly tarball: string; readonly files: readonly string[] } {
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [packed] = JSON.parse(output) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error('npm pack gave no tarball.');
  return { tarball: join(folder, packed.filename), files: packed.files.map((file) => file.path) };
}

function checkFiles(files: readonly string[]): void {
  const targets = Object.values(manifest.exports).flatMap((one) =>
    typeof one === 'string' ? [one] : Object.values(one),
  );
  const named = [...targets, ...Object.values(manifest.bin), './README.md', './LICENSE', './CHANGELOG.md'];
  const missing = named.map((path) => path.replace('./', '')).filter((path) => !files.includes(path));
  const foreign = files.filter((path) => FOREIGN.test(path));
  const local = files.filter((path) => /\.(m?[jt]s|json|map)$/.test(path) && namesMachine(path));
  const faults = [
    ...missing.map((path) => `missing: ${path}`),
    ...foreign.map((path) => `has no business in the package: ${path}`),
    ...local.map((path) => `names a path of this machine: ${path}`),
  ];
  if (faults.length > 0) throw new Error(`The package is wrong:\n  ${faults.join('\n  ')}`);
}

function namesMachine(path: string): boolean {
  return readFileSync(join(root, path), 'utf8').includes(root);
}

/** Installs the tarball into an empty project and imports every entry there, as a user's program would. */
function useInstalled(tarball: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  const args = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball];
  const install = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  if (install.status !== 0) throw new Error(`npm install of the package failed:\n${install.stderr}`);
  if (install.stderr.includes('EBADENGINE')) throw new Error(`A dependency wants another Node:\n${install.stderr}`);
  const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'));
  const program = entries.map((entry) => `await import('${entry.replace('.', manifest.name)}');`).join('\n');
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder, stdio: 'inherit' });
  execFileSync('npx', ['--no', manifest.name, '--', '--help'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

try {
  const { tarball, files } = pack();
  step(`${files.length} files`, () => checkFiles(files));
  step('publint', () => tool('publint/src/cli.js', ['run', '--strict', tarball]));
  step('attw', () => tool('@arethetypeswrong/cli/dist/index.js', [tarball, '--profile', 'esm-only']));
  step('install and import', () => useInstalled(tarball));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
