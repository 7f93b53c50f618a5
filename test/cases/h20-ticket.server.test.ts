/**
 * Case H20 on servers: all events of several tickets are published at once, and each run takes its own, in order, when it
 * comes to the step that waits for it.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uniqueName } from '../setup/temporal.ts';
import { CLOSED, dance, opened, REWORKED, rounds, TICKET, type TicketEvent, told } from './h20-ticket.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.fermata.definitions.publish(TICKET);
});
afterAll(() => stage.close());

const publish = (event: TicketEvent) =>
  stage.fermata.events.publish({ id: uniqueName('evt'), source: '/github', ...event });

/** Gives the id of the run that the ticket began, if it began one. */
async function open(number: number, team?: string): Promise<string | undefined> {
  return (await publish(opened(number, team))).runs[0]?.runId ?? undefined;
}

async function conclude(runId: string | undefined) {
  const { raw } = await stage.client.workflow.getHandle(runId ?? '').describe();
  const firstExecutionRunId = raw.workflowExecutionInfo?.firstRunId ?? '';
  return (await stage.conclude({ workflowId: runId ?? '', firstExecutionRunId })).document;
}

describe('H20', () => {
  test('each ticket takes its own events, in order, however they are mixed', async () => {
    const [reworked, closed, danced] = [await open(17), await open(18), await open(19)];
    expect(await open(20, 'Dev')).toBeUndefined();
    const [one, other] = [rounds(17, 'rework'), rounds(18, 'close')];
    for (const [index, event] of one.entries()) {
      await publish(event);
      const beside = other[index];
      if (beside) await publish(beside);
    }
    for (const event of dance(19)) await publish(event);
    const first = await conclude(reworked);
    expect(told(first.emitted)).toEqual(REWORKED);
    expect(first).toMatchObject({ state: 'failed', error: { type: 'INVALID_REVIEWER' } });
    const second = await conclude(closed);
    expect(told(second.emitted)).toEqual(CLOSED);
    expect(second.commands.map(({ command }) => command.payload)).toEqual([{ close: 18 }]);
    expect((await conclude(danced)).error).toMatchObject({ message: 'unsupported action dance' });
    const stored = await stage.store.events.get(second.emitted?.at(-1)?.id ?? '');
    expect(stored?.event).toMatchObject({ type: 'issue.closed', source: 'fermata:h20', data: { number: 18 } });
  });
});
