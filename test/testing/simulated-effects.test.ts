import { describe, expect, it } from 'vitest';
import { endOf, order, START, testWorld, watch } from './builders.ts';

describe('waits on the virtual clock', () => {
  it('end at their time', async () => {
    const test = testWorld();
    const wait = test.effects.wait({ untilMs: START + 7_200_000, summary: 'two hours' });
    expect(await endOf(test, wait)).toEqual({ output: undefined, at: 7_200_000 });
  });

  it('end at once when their time is past', async () => {
    const test = testWorld();
    expect(await endOf(test, test.effects.wait({ untilMs: START - 1, summary: 'past' }))).toMatchObject({ at: 0 });
  });

  it('end when what they wait for is there already', async () => {
    const test = testWorld();
    const wait = test.effects.wait({ untilMs: null, ready: () => true, summary: 'there' });
    expect(await endOf(test, wait)).toMatchObject({ at: 0 });
  });

  it('ask for what they wait for only when something was handled', async () => {
    const test = testWorld();
    let there = false;
    const watched = watch(test, test.effects.wait({ untilMs: START + 9000, ready: () => there, summary: 'both' }));
    test.world.clock.schedule(START + 1000, () => {
      there = true;
    });
    test.world.clock.schedule(START + 4000, () => test.world.waits.notify());
    await test.settle();
    expect(watched.end).toMatchObject({ at: 4000 });
    expect(test.elapsed()).toBe(4000);
  });

  it('end by time when what they wait for does not come', async () => {
    const test = testWorld();
    const wait = test.effects.wait({ untilMs: START + 9000, ready: () => false, summary: 'in vain' });
    expect(await endOf(test, wait)).toMatchObject({ at: 9000 });
  });

  it('never end without a time and without what they wait for', async () => {
    const test = testWorld();
    const watched = watch(test, test.effects.wait({ untilMs: null, ready: () => false, summary: 'for ever' }));
    await test.settle();
    expect(watched.end).toBeNull();
  });

  it('do not end within the call that begins them', async () => {
    const test = testWorld();
    const order: string[] = [];
    const wait = test.effects.wait({ untilMs: START, summary: 'now' }).then(() => order.push('waited'));
    order.push('went on');
    await test.settle();
    await wait;
    expect(order).toEqual(['went on', 'waited']);
  });
});

describe('the order of effects', () => {
  it('that are due at the same moment is the order in which they were asked for', async () => {
    const test = testWorld({ work: { takes: '1s' } });
    const ended: string[] = [];
    const note = (name: string) => () => ended.push(name);
    void test.effects.runCommand(order()).then(note('command'));
    void test.effects.wait({ untilMs: START + 1000, summary: 'wait' }).then(note('wait'));
    void test.effects.runCommand(order({ commandId: 'demo/run/work/2' })).then(note('second command'));
    await test.settle();
    expect(ended).toEqual(['command', 'wait', 'second command']);
  });

  it('lets everything that follows from one happen before the next', async () => {
    const test = testWorld();
    const seen: string[] = [];
    const walk = async (name: string) => {
      await test.effects.wait({ untilMs: START + 1000, summary: name });
      for (let step = 0; step < 5; step++) {
        seen.push(name);
        await Promise.resolve();
      }
    };
    const both = Promise.all([walk('a'), walk('b')]);
    await test.settle();
    await both;
    expect(seen.join('')).toBe('aaaaabbbbb');
  });

  it('yields without taking time', async () => {
    const test = testWorld();
    expect(await endOf(test, test.effects.yield())).toMatchObject({ at: 0 });
  });
});

describe('scopes', () => {
  it('end their pending effects when they are cancelled, and leave those of others alone', async () => {
    const test = testWorld();
    const scope = test.effects.openScope();
    const inside = watch(test, scope.wait({ untilMs: START + 5000, summary: 'inside' }));
    const outside = watch(test, test.effects.wait({ untilMs: START + 5000, summary: 'outside' }));
    test.world.clock.schedule(START + 1000, () => scope.cancel());
    await test.settle();
    expect(inside.end).toMatchObject({ error: { type: 'CANCELLED' }, at: 1000 });
    expect(outside.end).toMatchObject({ at: 5000 });
  });

  it('are cancelled with the scope that they were opened in', async () => {
    const test = testWorld();
    const outer = test.effects.openScope();
    const inner = outer.openScope();
    const watched = watch(test, inner.wait({ untilMs: START + 5000, summary: 'inner' }));
    outer.cancel();
    await test.settle();
    expect(watched.end).toMatchObject({ error: { type: 'CANCELLED' }, at: 0 });
    expect(await endOf(test, outer.openScope().wait({ untilMs: START, summary: 'late' }))).toMatchObject({
      error: { type: 'CANCELLED' },
    });
  });

  it('leave the scope around them alone', async () => {
    const test = testWorld();
    const outer = test.effects.openScope();
    outer.openScope().cancel();
    expect(await endOf(test, outer.wait({ untilMs: START + 1, summary: 'outer' }))).toMatchObject({ at: 1 });
  });

  it('may be cancelled twice, and after their effects have ended', async () => {
    const test = testWorld();
    const scope = test.effects.openScope();
    const end = await endOf(test, scope.wait({ untilMs: START + 1, summary: 'short' }));
    scope.cancel();
    scope.cancel();
    expect(end).toEqual({ output: undefined, at: 1 });
  });

  it('run a body and give what it gives', async () => {
    const test = testWorld();
    const scope = test.effects.openScope();
    expect(await scope.run(() => Promise.resolve(7))).toBe(7);
  });
});

describe('describing rejections', () => {
  it('passes on what is no failure of an effect: it is a fault of the engine or the mocks', () => {
    const test = testWorld();
    const bug = new TypeError('undefined is not a function');
    expect(() => test.effects.describe(bug)).toThrow(bug);
  });
});
