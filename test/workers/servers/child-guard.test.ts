import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startChildGuard } from '../../../workers/servers/child-guard.ts';
import { waitUntil } from '../../../workers/servers/wait-until.ts';

async function startIdle(script = 'setInterval(() => {}, 60_000)') {
  const child = spawn(process.execPath, ['-e', `${script}; console.log('up')`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  await once(child.stdout, 'data');
  return { pid: child.pid ?? 0, exit, child };
}

test('when the pipe ends, what is watched ends by its signal and its folder goes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fermata-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const idle = await startIdle();
  const guard = startChildGuard();
  guard.watch(idle.pid, 'SIGINT');
  guard.watchFolder(folder);
  guard.close();
  expect(await idle.exit).toEqual([null, 'SIGINT']);
  expect(await waitUntil(() => (existsSync(folder) ? null : true), { timeoutMs: 10_000 })).toBe(true);
});

test('what was released is left alone', async () => {
  const [released, watched] = [await startIdle(), await startIdle()];
  const guard = startChildGuard();
  guard.watch(released.pid, 'SIGTERM');
  guard.watch(watched.pid, 'SIGTERM');
  guard.release(released.pid);
  guard.close();
  await watched.exit;
  expect(released.child.exitCode).toBeNull();
  expect(released.child.signalCode).toBeNull();
});
