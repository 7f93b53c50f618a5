/**
 * The official download that is built into the Temporal SDK, for every operating system that Temporal supports.
 *
 * The SDK only downloads on its way to starting a server, and doing so here would fix this process's `Runtime` before
 * the worker can set it up: so a Node process of its own starts that server and stops it again.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isExecutable } from './find-executable.ts';
import { runProgram } from './run-program.ts';
import type { Tool } from './tools.ts';

const SCRIPT = `
const [sdk, kind, downloadDir] = process.argv.slice(1);
const { TestWorkflowEnvironment } = (await import(sdk)).default;
const options = { server: { executable: { type: 'cached-download', downloadDir } } };
try {
  const environment = kind === 'dev-server'
    ? await TestWorkflowEnvironment.createLocal(options)
    : await TestWorkflowEnvironment.createTimeSkipping(options);
  await environment.teardown();
} catch (error) {
  console.error(error.message.split('\\n')[0]);
  process.exitCode = 1;
}
`;

/** Fails within a second where there is no network. @throws Error with the SDK's reason */
export async function downloadFromSdk(tool: Tool, folder: string): Promise<string> {
  const sdk = import.meta.resolve('@temporalio/testing');
  const args = ['--input-type=module', '-e', SCRIPT, sdk, tool.sdkServer, folder];
  const result = await runProgram(process.execPath, args, { timeoutMs: 300_000 });
  if (result.code !== 0) throw new Error(result.stderr.trim() || `ended with ${result.code}`);
  const executable = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .find(isExecutable);
  if (executable === undefined) throw new Error(`the SDK left no executable in ${folder}`);
  return executable;
}
