/** `assign`: evaluates all its templates, then sets the variables together. */
import { type CompiledTemplate, compileTemplate } from '../../definitions/expressions/index.ts';
import { jsonBytes } from '../../definitions/json/size.ts';
import type { AssignNode, Json } from '../../definitions/types.ts';
import { bookBytes, checkedBytes, namesFor } from '../context.ts';
import { instant } from './node-type.ts';

interface Config {
  readonly vars: readonly (readonly [name: string, template: CompiledTemplate])[];
}

export const assign = instant<AssignNode, Config>({
  compile: ({ config }) => ({
    vars: Object.entries(config.vars).map(([name, template]) => [name, compileTemplate(template)] as const),
  }),

  proceed({ run, frame, config }) {
    const names = namesFor(run, frame);
    const values: { [name: string]: Json } = {};
    let added = 0;
    let removed = 0;
    for (const [name, template] of config.vars) {
      const value = template.evaluate(names, run.meter);
      added += checkedBytes(`variable ${name}`, value);
      if (Object.hasOwn(frame.vars, name)) removed += jsonBytes(frame.vars[name] as Json);
      values[name] = value;
    }
    bookBytes(run, added, removed);
    frame.vars = { ...frame.vars, ...values };
    return { kind: 'success', output: null };
  },
});
