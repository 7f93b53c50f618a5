import { expect, test } from 'vitest';
import { eventIdOf } from '../../client/emitter.ts';
import { utf8Length } from '../../definitions/json/size.ts';
import { LIMITS } from '../../definitions/limits.ts';

test('the id of an emitted event is that of its visit', () => {
  expect(eventIdOf('order/o-7/each[3]/tell/1')).toBe('order/o-7/each[3]/tell/1');
});

test('one that is too long for an id is cut and gets a hash, another for another visit', () => {
  const long = `order/o-7/${'each[9999]/'.repeat(30)}tell/`;
  const [one, other] = [eventIdOf(`${long}1`), eventIdOf(`${long}2`)];
  expect(one).not.toBe(other);
  expect(one).toMatch(/^order\/o-7\/each.*~[0-9a-f]{24}$/);
  for (const id of [one, other]) expect(utf8Length(id)).toBeLessThanOrEqual(LIMITS.idBytes);
});
