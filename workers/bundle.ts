/**
 * The workflow bundle: the interpreter as one script for Temporal's workflow sandbox.
 *
 * Built once: with the package (`dist/workflow-bundle.js`), or, from source, once per content of the folders it is made
 * of, and kept under `node_modules/.cache/fermata`. A worker start only reads it.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BundleOptions, bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..');
/** `.ts` from source, `.js` in the package. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const workflowFile = (name: string): string => join(root, 'workflows', `${name}.${extension}`);

/** The module that registers the outbound interceptor; replay needs it by name too. */
export const interceptorModules: readonly string[] = [workflowFile('temporal/headers')];

/** Where the bundle of this package or checkout lies; made first if it is not there yet. */
export async function workflowBundlePath(): Promise<string> {
  const prebuilt = join(root, 'workflow-bundle.js');
  if (extension === 'js' && (await exists(prebuilt))) return prebuilt;
  const folder = join(root, ...(extension === 'js' ? ['..'] : []), 'node_modules', '.cache', 'fermata');
  const path = join(folder, `workflow-bundle-${await sourceHash()}.js`);
  if (await exists(path)) return path;
  await mkdir(folder, { recursive: true });
  await writeBundle(path);
  return path;
}

/** Builds the bundle into `path`, in one step for whoever reads it meanwhile. */
export async function writeBundle(path: string): Promise<void> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: workflowFile('temporal/interpreter'),
    workflowInterceptorModules: [...interceptorModules],
    payloadConverterPath: workflowFile('temporal/payload-converter'),
    preloadModules: [workflowFile('preload')],
    webpackConfigHook: (config) => inOnePiece(withModernTarget(config)),
    logger: new DefaultLogger('WARN'),
  });
  const partial = `${path}.${process.pid}`;
  await writeFile(partial, code);
  await rename(partial, path);
}

type WebpackConfig = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];

/**
 * From source, the SDK has TypeScript compiled for ES2017, where each spread and private field becomes a slow function;
 * Node 20 has them natively, as the built package does.
 */
function withModernTarget(config: WebpackConfig): WebpackConfig {
  const swc = { sourceMap: true, jsc: { target: 'es2022', parser: { syntax: 'typescript' } } };
  const rules = (config.module?.rules ?? []).map((rule) => {
    if (typeof rule !== 'object' || rule === null || typeof rule.use !== 'object' || rule.use === null) return rule;
    return 'loader' in rule.use ? { ...rule, use: { ...rule.use, options: swc } } : rule;
  });
  return { ...config, module: { ...config.module, rules } };
}

/**
 * Modules that only one other imports become part of it: names are variables there, not look-ups. And Temporal, which
 * freezes whatever a preloaded module exports, reaches no inner table: RE2 would compute those of Unicode for that, a
 * quarter of a second at each start of a worker. `usedExports` would leave out what the preload exports.
 */
function inOnePiece(config: WebpackConfig): WebpackConfig {
  const optimization = { ...config.optimization, concatenateModules: true, providedExports: true, usedExports: false };
  return { ...config, optimization };
}

/** A name for the content that the bundle is made of. */
async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of ['definitions', 'workflows']) {
    const names = await readdir(join(root, folder), { recursive: true });
    for (const name of names.filter((file) => file.endsWith(`.${extension}`)).sort()) {
      hash.update(name).update(await readFile(join(root, folder, name)));
    }
  }
  hash.update(await readFile(join(root, extension === 'ts' ? 'package.json' : '../package.json')));
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
