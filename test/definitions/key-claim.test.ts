import { describe, expect, it } from 'vitest';
import { startFacts } from '../../definitions/start-facts.ts';
import type { Definition, Json, Template } from '../../definitions/types.ts';

const keyOf = (value: Template, input: Json, more: Partial<Definition> = {}) => {
  const definition: Definition = { id: 'd', key: { value, onConflict: 'queue' }, nodes: [], ...more };
  const initiator = { id: 'ann', kind: 'user' } as const;
  const run = { id: 'd/1', version: 1, tenant: 'default', initiator };
  return startFacts(definition, { event: null, trigger: null, input, run, atMs: 0 }).key;
};

describe('the key of a run', () => {
  it('is absent where the definition has none', () => {
    const run = { id: 'd/1', version: 1, tenant: 'default', initiator: { id: 'ann', kind: 'user' } } as const;
    const facts = startFacts({ id: 'd', nodes: [] }, { event: null, trigger: null, run, atMs: 0 });
    expect(facts.key).toBeNull();
  });

  it.each([
    ['${input.a}', { a: 'x' }, '"x"'],
    ['${input.a}', { a: 1 }, '1'],
    ['${input.a}', { a: '1' }, '"1"'],
    ['${input.a}', { a: false }, 'false'],
    ['${input}', { b: [1, 'x'], a: { d: true, c: 2 } }, '{"a":{"c":2,"d":true},"b":[1,"x"]}'],
    ['${run.tenant}/${run.initiator.id}', {}, '"default/ann"'],
  ] as const)('of %s for %j is %s', (value, input, text) => {
    expect(keyOf(value, input)).toEqual({ text, onConflict: 'queue', hidden: false });
  });

  it('may be made of what the run is about', () => {
    const entity = { type: 'lead', id: '${input.lead}' };
    expect(keyOf('${run.entity.id}', { lead: 'L-1' }, { entity })?.text).toBe('"L-1"');
  });

  it.each([
    ['${input.a}', { a: null }, '/key/value'],
    [{ x: ['${input.a}'] }, { a: null }, '/key/value/x/0'],
    ['${input}', { b: { c: null } }, '/key/value/b/c'],
  ] as const)('of %j for %j is refused, for %s is null', (value, input, path) => {
    expect(() => keyOf(value, input)).toThrow(
      expect.objectContaining({
        code: 'run.input_invalid',
        details: { path },
        message: expect.stringContaining(path) as string,
      }) as Error,
    );
  });

  it('is refused where it reads what is not there', () => {
    expect(() => keyOf({ x: '${input.absent}' }, {})).toThrow(
      expect.objectContaining({
        code: 'run.input_invalid',
        details: expect.objectContaining({ pointer: '/x' }) as unknown,
      }) as Error,
    );
  });
});
