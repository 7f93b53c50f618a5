/**
 * Do the kept histories notice when the interpreter changes? Makes each edit of `test/replay/mutants.ts` in a copy, and
 * replays all histories of `test/replay` with it. Prints one line an edit and ends with 1 if more than one is not caught:
 *
 *     node --conditions=fermata-source --import tsx scripts/mutate-interpreter.ts
 */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { type Mutant, OF_ARGUMENTS, OF_COMMANDS } from '../test/replay/mutants.ts';
import { replayOne } from '../testing/replay.ts';
import type * as Bundle from '../workers/bundle.ts';
import { openReplayer } from '../workers/replayer.ts';
import type { History } from '../workers/run-history.ts';

Runtime.install({
  logger: new DefaultLogger('ERROR'),
  telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
});
/** Of twenty. */
const MAY_ESCAPE = 1;

const root = fileURLToPath(new URL('..', import.meta.url));
const copy = await mkdtemp(join(tmpdir(), 'mutants-'));
try {
  for (const name of ['definitions', 'workflows', 'workers', 'package.json']) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const { writeBundle } = (await import(join(copy, 'workers', 'bundle.ts'))) as typeof Bundle;
  const bundle = async (): Promise<string> => {
    const path = join(copy, 'bundle.js');
    await writeBundle(path);
    return readFile(path, 'utf8');
  };
  const histories = await keptHistories();
  const before = await noticed(await bundle(), histories);
  if (before !== null) throw new Error(`the histories do not replay as it is: ${before}`);
  const escaped: string[] = [];
  for (const mutant of [...OF_COMMANDS, ...OF_ARGUMENTS]) {
    const undo = await mutate(mutant);
    const by = await noticed(await bundle(), histories);
    await undo();
    console.info(`${by === null ? 'not caught' : 'caught    '}  ${mutant.what}${by === null ? '' : ` (${by})`}`);
    if (by === null) escaped.push(mutant.what);
  }
  console.info(`${OF_COMMANDS.length + OF_ARGUMENTS.length} edits, ${escaped.length} not caught`);
  process.exitCode = escaped.length > MAY_ESCAPE ? 1 : 0;
} finally {
  await rm(copy, { recursive: true, force: true });
}

async function keptHistories(): Promise<
  readonly { readonly name: string; readonly id: string; readonly history: History }[]
> {
  const folder = join(root, 'test', 'replay');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.history.json')).sort();
  return Promise.all(
    names.map(async (name) => {
      const history = historyFromJSON(JSON.parse(await readFile(join(folder, name), 'utf8')));
      const id = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId ?? '';
      return { name, id, history };
    }),
  );
}

/** The first history that tells, `null`: none does. */
async function noticed(code: string, histories: Awaited<ReturnType<typeof keptHistories>>): Promise<string | null> {
  const replayer = openReplayer(code);
  try {
    for (const { name, id, history } of histories) {
      const { error, differences } = await replayOne(replayer, id, history);
      if (error !== null || differences.length > 0) return name;
    }
    return null;
  } finally {
    await replayer.close();
  }
}

/** Makes the edit; gives how to take it back. */
async function mutate({ what, file, from, to }: Mutant): Promise<() => Promise<void>> {
  const path = join(copy, 'workflows', file);
  const text = await readFile(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`"${from}" does not stand once in workflows/${file}: ${what}`);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
  return () => writeFile(path, text);
}
