import { describe, expect, it } from 'vitest';
import { readEvent } from '../../client/read-event.ts';

const NOW = Date.parse('2027-01-01T00:00:00Z');
const event = { id: 'e1', type: 'lead.created', source: '/crm', time: '2026-12-31T23:00:00+01:00', data: { a: 1 } };

function refusal(value: unknown): { code: string; message: string; details: unknown } {
  try {
    readEvent(value, NOW);
  } catch (error) {
    return error as { code: string; message: string; details: unknown };
  }
  throw new Error('nothing was refused');
}

describe('an event at the door', () => {
  it('is taken as it is', () => {
    expect(readEvent(event, NOW)).toEqual({ event, timeGiven: true });
  });

  it('gets an id, the time and null data where they are absent', () => {
    const { event: read, timeGiven } = readEvent({ type: 't', source: 's' }, NOW);
    expect(read).toMatchObject({ type: 't', source: 's', time: '2027-01-01T00:00:00.000Z', data: null });
    expect(read.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(timeGiven).toBe(false);
  });

  it('may say that it is a CloudEvent of version 1.0 with JSON data', () => {
    const said = { ...event, specversion: '1.0', datacontenttype: 'application/cloudevents+json; charset=utf-8' };
    expect(readEvent(said, NOW).event).toEqual(event);
  });

  it('keeps dangerous keys of its data as own keys', () => {
    const data = JSON.parse('{"__proto__":{"x":1},"a.b":2}') as object;
    expect(JSON.stringify(readEvent({ ...event, data }, NOW).event.data)).toBe(JSON.stringify(data));
  });

  it.each<[string, unknown, string]>([
    ['no type', { source: 's' }, '/type'],
    ['an empty source', { ...event, source: '' }, '/source'],
    ['a number for its id', { ...event, id: 7 }, '/id'],
    ['an id of 256 bytes', { ...event, id: 'é'.repeat(128) }, '/id'],
    ['an unknown field', { ...event, tenant: 'x' }, '/tenant'],
    ['a time without an offset', { ...event, time: '2027-01-01T00:00:00' }, '/time'],
    ['another version of CloudEvents', { ...event, specversion: '0.3' }, '/specversion'],
    ['data that is not JSON', { ...event, datacontenttype: 'text/xml' }, '/datacontenttype'],
    ['U+0000 in its data', { ...event, data: { a: ['x\u0000'] } }, '/data/a/0'],
    ['half a surrogate pair', { ...event, data: '\ud83d' }, '/data'],
    ['a number that would be rounded', { ...event, data: { n: 2 ** 60 } }, '/data/n'],
    ['a date object', { ...event, data: { at: new Date(NOW) } }, '/data/at'],
    ['a list instead of an object', [event], ''],
  ])('is refused with %s, naming the place', (_what, value, path) => {
    const { code, details } = refusal(value);
    expect(code).toBe('event.invalid');
    expect(details).toMatchObject({ path });
  });

  it('is refused with data that refers to itself', () => {
    const data: Record<string, unknown> = {};
    data['self'] = data;
    expect(refusal({ ...event, data }).code).toBe('event.invalid');
  });

  it('is refused above 256 KiB of data, by bytes and not by characters', () => {
    const fits = 'é'.repeat(128 * 1024 - 1);
    expect(readEvent({ ...event, data: fits }, NOW).event.data).toBe(fits);
    expect(refusal({ ...event, data: `${fits}é` })).toMatchObject({
      code: 'input.too_large',
      details: { bytes: 262_146, limit: 262_144 },
    });
  });
});
