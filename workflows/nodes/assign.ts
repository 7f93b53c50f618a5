/** `assign`: evaluates all its templates, then sets the variables together. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import type { AssignNode } from '../../definitions/types.ts';
import { namesFor, setVars } from '../scope.ts';
import { instant } from './node-type.ts';

interface Config {
  readonly vars: readonly (readonly [name: string, template: CompiledTemplate])[];
}

export const assign = instant<AssignNode, Config>({
  compile: ({ config }) => ({
    vars: Object.entries(config.vars).map(([name, template]) => [name, compileTemplate(template)] as const),
  }),

  proceed({ run, scope, config }) {
    const names = namesFor(scope);
    setVars(
      scope,
      Object.fromEntries(config.vars.map(([name, template]) => [name, template.evaluate(names, run.meter)])),
    );
    return { kind: 'success', output: null };
  },
});
