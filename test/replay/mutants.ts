/**
 * Edits of the interpreter that the kept histories have to notice (check 3): ten that change which commands a walk gives,
 * ten that change only what they carry, which Temporal does not see.
 *
 * Each is one piece of text that stands once in its file, and what stands there instead.
 */
export interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export const OF_COMMANDS: readonly Mutant[] = [
  {
    what: 'a condition goes the other way',
    file: 'routing.ts',
    from: 'outcome.holds ? node.nextNodeId : node.fallbackNodeId',
    to: 'outcome.holds ? node.fallbackNodeId : node.nextNodeId',
  },
  {
    what: 'only a bad outcome goes to nextNodeId',
    file: 'routing.ts',
    from: 'if (outcome.good) return',
    to: 'if (!outcome.good) return',
  },
  {
    what: 'an error is caught by "*" alone',
    file: 'routing.ts',
    from: "entry.errors.includes(error.type) || entry.errors.includes('*')",
    to: "entry.errors.includes('*')",
  },
  { what: 'undo goes forwards', file: 'undo.ts', from: 'undo.findLast(isLeft)', to: 'undo.find(isLeft)' },
  {
    what: 'an undo has another id',
    file: 'undo.ts',
    from: '`${visitId(visit)}/undo`',
    to: '`${visitId(visit)}/undone`',
  },
  {
    what: 'visits are counted from two',
    file: 'scope.ts',
    from: '${scope.path}${nodeId}/${visit}`',
    to: '${scope.path}${nodeId}/${visit + 1}`',
  },
  {
    what: 'what has an undo is forgotten',
    file: 'nodes/action.ts',
    from: 'if (config.undo) rememberUndo',
    to: 'if (config.undo && run.fuel === null) rememberUndo',
  },
  {
    what: 'a moment that is past is waited for, one to come is not',
    file: 'nodes/delay.ts',
    from: 'dueAt <= visit.run.effects.now() ? DONE',
    to: 'dueAt > visit.run.effects.now() ? DONE',
  },
  {
    what: 'the first case that does not hold is taken',
    file: 'nodes/switch.ts',
    from: 'if (holds === true)',
    to: 'if (holds === false)',
  },
  {
    what: 'a run that completed is undone, a failed one is not',
    file: 'run.ts',
    from: "ending.state === 'completed' ? ending",
    to: "ending.state !== 'completed' ? ending",
  },
];

export const OF_ARGUMENTS: readonly Mutant[] = [
  {
    what: 'a payload is put into a list',
    file: 'nodes/action.ts',
    from: 'const payload = evaluate(scope, config.payload)',
    to: 'const payload = [evaluate(scope, config.payload)]',
  },
  {
    what: 'a rollback gets input and output mixed up',
    file: 'undo.ts',
    from: '{ input: order.payload, output }',
    to: '{ input: output, output: order.payload }',
  },
  {
    what: 'an undo does not see what it takes back',
    file: 'undo.ts',
    from: "[nodeId]: { output, outcome: 'success', error: null }",
    to: "[nodeId]: { output: { id: 0 }, outcome: 'success', error: null }",
  },
  {
    what: 'an error does not name its node',
    file: 'commands.ts',
    from: 'error: { ...effects.describe(rejection), nodeId }',
    to: 'error: { ...effects.describe(rejection), nodeId: nodeId.toUpperCase() }',
  },
  {
    what: 'the end of a run gives nothing',
    file: 'nodes/end.ts',
    from: "{ state: 'completed', output, error: null }",
    to: "{ state: 'completed', output: null, error: null }",
  },
  {
    what: 'a run gives nothing',
    file: 'run.ts',
    from: 'output: outputOf(top, run.compiled.output)',
    to: 'output: null && outputOf(top, run.compiled.output)',
  },
  {
    what: 'what is not undone is named by the wrong command',
    file: 'undo.ts',
    from: 'commandId: entry.order.undoes,',
    to: 'commandId: entry.order.commandId,',
  },
  {
    what: 'an end says nothing of why',
    file: 'nodes/end.ts',
    from: 'message: text, nodeId }',
    to: 'message: text.slice(0, 0), nodeId }',
  },
  {
    what: 'what is not undone is not in the message',
    file: 'undo.ts',
    from: '`${first.message}; not undone: ${names}`',
    to: '`${first.message}; not undone: ${names.length}`',
  },
  {
    what: 'an output is kept twice over',
    file: 'walk.ts',
    from: "outcome.kind === 'named' ? outcome.output : null",
    to: "outcome.kind === 'named' ? ([outcome.output] as unknown as Json) : null",
  },
];
