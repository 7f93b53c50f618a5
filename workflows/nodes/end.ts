/** `end`: ends the run, from any depth. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import type { EndNode } from '../../definitions/types.ts';
import { evaluate, outputOf } from '../scope.ts';
import { instant } from './node-type.ts';

interface Config {
  readonly state: 'completed' | 'failed' | 'cancelled';
  /** Absent: the run's own rule for its output. */
  readonly output: CompiledTemplate | null;
  readonly error: { readonly type: string; readonly message: CompiledTemplate };
}

export const end = instant<EndNode, Config>({
  compile: ({ config = {} }) => ({
    state: config.status ?? 'completed',
    output: config.output === undefined ? null : compileTemplate(config.output),
    error: {
      type: config.error?.type ?? (config.status === 'cancelled' ? 'CANCELLED' : 'FAILED'),
      message: compileTemplate(config.error?.message ?? 'The definition ended the run'),
    },
  }),

  proceed({ run, scope, nodeId, config }) {
    const output = outputOf(scope, config.output ?? run.compiled.output);
    if (config.state === 'completed') return { kind: 'end', ending: { state: 'completed', output, error: null } };
    const message = evaluate(scope, config.error.message);
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    const error = { type: config.error.type, message: text, nodeId };
    return { kind: 'end', ending: { state: config.state, output, error } };
  },
});
