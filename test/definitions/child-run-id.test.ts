import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { childRunId } from '../../definitions/child-run-id.ts';

describe('the id of a run that a run begins', () => {
  it('names the child and the visit that began it, and the tenant where it is not the default', () => {
    expect(childRunId('default', 'ship', 'order/77/pack/1')).toBe('ship/order:77:pack:1');
    expect(childRunId('acme', 'ship', 'acme/order/77/left/pack/2')).toBe('acme/ship/order:77:left:pack:2');
  });

  it.each([
    ['an item', 'order/77/each[5]/pack/1', /^ship\/order:77:each-5-:pack:1~[0-9a-f]{16}$/],
    ['a colon, which a slash could have been', 'order/a:b/pack/1', /^ship\/order:a:b:pack:1~[0-9a-f]{16}$/],
    ['other letters', 'order/名前/pack/1', /^ship\/order:-:pack:1~/],
    ['more than 80 bytes', `order/${'x'.repeat(80)}/pack/1`, /^ship\/order:x{57}~/],
  ])('has a hash for a visit with %s', (_what, visitId, id) => {
    expect(childRunId('default', 'ship', visitId)).toMatch(id);
  });

  it('is safe and different for different children and visits', () => {
    const text = fc.string({ minLength: 1, unit: 'binary' });
    fc.assert(
      fc.property(text, text, text, (child, visit, other) => {
        const [id, another] = [visit, other].map((one) => childRunId('default', child, `order/${one}/n/1`));
        expect(id).toMatch(/^[A-Za-z0-9._:~-]+\/[A-Za-z0-9._:~-]+$/);
        expect(id?.length).toBeLessThanOrEqual(161);
        expect(id === another).toBe(visit === other);
      }),
    );
    expect(childRunId('default', 'Ship it!', 'order/1/n/1')).not.toBe(childRunId('default', 'Ship it?', 'order/1/n/1'));
  });
});
