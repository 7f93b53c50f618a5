import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../testing/virtual-clock.ts';

function drain(clock: VirtualClock): void {
  while (clock.advance());
}

describe('virtual clock', () => {
  it('stands still until it is told to advance', () => {
    const clock = new VirtualClock(1000);
    clock.schedule(5000, () => {});
    expect(clock.now()).toBe(1000);
    expect(clock.advance()).toBe(true);
    expect(clock.now()).toBe(5000);
    expect(clock.advance()).toBe(false);
    expect(clock.now()).toBe(5000);
  });

  it('fires timers in order of their time, and those of one moment in the order in which they were made', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), (delays) => {
        const clock = new VirtualClock(0);
        const fired: { due: number; made: number }[] = [];
        delays.forEach((due, made) => {
          clock.schedule(due, () => {
            expect(clock.now()).toBe(due);
            fired.push({ due, made });
          });
        });
        drain(clock);
        const expected = delays.map((due, made) => ({ due, made })).sort((a, b) => a.due - b.due || a.made - b.made);
        expect(fired).toEqual(expected);
      }),
    );
  });

  it('treats a moment already past as now, behind what is due now already', () => {
    const clock = new VirtualClock(100);
    const fired: string[] = [];
    clock.schedule(100, () => fired.push('due now'));
    clock.schedule(7, () => fired.push('past'));
    drain(clock);
    expect(fired).toEqual(['due now', 'past']);
    expect(clock.now()).toBe(100);
  });

  it('forgets a cancelled timer, together with its time', () => {
    const clock = new VirtualClock(0);
    const cancel = clock.schedule(500, () => expect.unreachable());
    cancel();
    cancel();
    expect(clock.advance()).toBe(false);
    expect(clock.now()).toBe(0);
  });

  it('lets an action make timers for the same moment', () => {
    const clock = new VirtualClock(0);
    const fired: string[] = [];
    clock.schedule(10, () => clock.schedule(10, () => fired.push('second')));
    clock.schedule(10, () => fired.push('first'));
    drain(clock);
    expect(fired).toEqual(['first', 'second']);
  });
});
