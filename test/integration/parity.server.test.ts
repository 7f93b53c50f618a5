/** Simulator and Temporal walk alike: the same trace and the same commands for the same definition and mocks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunDocument } from '../../definitions/records.ts';
import { simulate } from '../../testing/index.ts';
import { openStage, type Stage } from '../cases/stage.ts';
import { uniqueName } from '../setup/temporal.ts';
import { mockCommands, play } from './play.ts';
import { SAMPLES } from './samples.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ commands: mockCommands(Object.values(SAMPLES)) });
});
afterAll(() => stage.close());

/** All of a run but its times, and the texts of errors that Temporal words. */
function story({
  runId,
  state,
  output,
  error,
  trace,
  commands,
  vars,
  emitted = [],
  children = [],
  audit = [],
}: RunDocument) {
  return {
    runId,
    state,
    output,
    error: error && { type: error.type, nodeId: error.nodeId },
    vars,
    children: children.map(({ nodeId, runId: childId, definitionId }) => ({ nodeId, runId: childId, definitionId })),
    audit: audit.map(({ taskId, action, by, outcome: said, to, door, refusal }) => ({
      taskId,
      action: said ?? action,
      by: by?.id ?? null,
      to,
      door,
      refusal: refusal?.code ?? null,
    })),
    emitted: emitted.map(({ at: _at, ...event }) => event),
    trace: trace.map(({ nodeId, path, visit, type, outcome, eventId, error: fault }) => ({
      nodeId,
      path,
      visit,
      type,
      outcome,
      eventId,
      error: fault?.type ?? null,
    })),
    commands: commands.map(({ command, state: how, attempts, result, error: fault, undoes }) => ({
      id: command.id,
      type: command.type,
      version: command.version,
      payload: command.payload,
      state: how,
      attempts,
      result,
      error: fault?.type ?? null,
      undoes: undoes ?? null,
    })),
  };
}

describe('the simulator and Temporal tell the same story of', () => {
  test.concurrent.each(Object.entries(SAMPLES))('%s', async (_, sample) => {
    const { definition, definitions = [], mocks, event, input } = sample;
    const id = uniqueName('parity');
    const handle = await play(sample, id, stage);
    const { document } = await stage.conclude(handle);
    const given = { id, ...(event === undefined ? {} : { event }), ...(input === undefined ? {} : { input }) };
    expect(story(document)).toEqual(story(await simulate(definition, { ...given, definitions, mocks })));
  });
});
