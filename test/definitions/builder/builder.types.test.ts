/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-member-access, typescript/no-unsafe-return -- what the compiler refuses has no type */
import { describe, expect, expectTypeOf, it, test } from 'vitest';
import { z } from 'zod';
import { at, cel, define, get, has, type Ref, secret, text, type Typed } from '../../../definitions/index.ts';
import { addTag, assignLead, type Lead, paid, ping, refused, sendSms } from './commands.ts';

const lead = define('lead').on<Lead>('lead.created');
const assigned = lead.action('assign', assignLead, ({ event }) => ({ leadId: event.data.id, team: 'sales' }));

/** What is written here is only looked at by the compiler. */
function looked(_: () => unknown): void {
  expect(_).toBeTypeOf('function');
}

describe('references', () => {
  test('have the types of what they name', () => {
    looked(() =>
      assigned.output(({ event, nodes, run, now }) => {
        expectTypeOf(event.data.company.size).toEqualTypeOf<Ref<number>>();
        expectTypeOf(nodes.assign.output.ownerId).toExtend<Typed<string>>();
        expectTypeOf(nodes.assign.output.note).toExtend<Typed<string | undefined>>();
        expectTypeOf(run.initiator.id).toExtend<Typed<string>>();
        expectTypeOf(now).toExtend<Typed<string>>();
        return null;
      }),
    );
  });

  test('of fields that are not there do not compile', () => {
    // @ts-expect-error leads have no such field
    looked(() => lead.condition('a', ({ event }) => cel`${event.data.compny.size} > 1`));
    // @ts-expect-error the output of the handler has no such field
    looked(() => assigned.output(({ nodes }) => nodes.assign.output.owner));
    // @ts-expect-error events have no such field
    looked(() => lead.condition('a', ({ event }) => cel`${event.kind} == 'a'`));
    // @ts-expect-error there is no such name
    looked(() => lead.condition('a', ({ item }) => cel`${item} == 'a'`));
  });

  test('of nodes that are not before do not compile', () => {
    // @ts-expect-error no such node
    looked(() => assigned.output(({ nodes }) => nodes.assigned));
    looked(() =>
      lead
        // @ts-expect-error the node comes after
        .condition('early', ({ nodes }) => cel`${nodes.late.output.tags} == []`)
        .action('late', addTag, { leadId: 'l', tag: 't' }),
    );
    // @ts-expect-error its own output is not there yet
    looked(() => lead.action('own', addTag, ({ nodes }) => ({ leadId: 'l', tag: nodes.own.outcome })));
  });

  test('of values that may be absent need a default', () => {
    looked(() =>
      assigned.action('a', sendSms, ({ event }) => ({ to: get(event.data.company.country, 'FR'), text: '' })),
    );
    looked(() =>
      // @ts-expect-error the country may be absent
      assigned.action('a', sendSms, ({ event }) => ({ to: event.data.company.country, text: '' })),
    );
    looked(() =>
      // @ts-expect-error so may the referrer be, and then its id
      assigned.action('a', sendSms, ({ event }) => ({ to: event.data.referrer.id, text: '' })),
    );
    // @ts-expect-error an absent value has no text
    looked(() => lead.output(({ event }) => text`from ${event.data.company.country}`));
    looked(() =>
      lead.output(({ event }) => {
        expectTypeOf(get(event.data.company.country, 'FR')).toEqualTypeOf<Typed<string>>();
        expectTypeOf(get(event.data.referrer.id, null)).toEqualTypeOf<Typed<string | null>>();
        return null;
      }),
    );
  });

  test('into lists go by `at`, and may be absent', () => {
    looked(() =>
      define('a')
        .input(z.object({ lines: z.array(z.object({ sku: z.string() })) }))
        .output(({ input }) => {
          expectTypeOf(at(input.lines, 0).sku).toExtend<Typed<string | undefined>>();
          expectTypeOf(at<string>(input.lines, 0, 'sku')).toExtend<Typed<string>>();
          return null;
        }),
    );
  });
});

describe('payloads', () => {
  test('fit the input of the handler', () => {
    // @ts-expect-error `team` is missing
    looked(() => lead.action('a', assignLead, ({ event }) => ({ leadId: event.data.id })));
    // @ts-expect-error no team has this name
    looked(() => lead.action('a', assignLead, ({ event }) => ({ leadId: event.data.id, team: 'smb' })));
    // @ts-expect-error nor is any text a team
    looked(() => lead.action('a', assignLead, ({ event }) => ({ leadId: event.data.id, team: event.data.name })));
    // @ts-expect-error the id is a text
    looked(() => lead.action('a', assignLead, ({ event }) => ({ leadId: event.data.company.size, team: 'sales' })));
    // @ts-expect-error a payload is needed
    looked(() => lead.action('a', assignLead));
    // @ts-expect-error a weight is a number
    looked(() => lead.action('a', addTag, { leadId: 'l', tag: 't', weight: cel<string>`"a"` }));
    // @ts-expect-error the handler takes no such field
    looked(() => lead.action('a', addTag, { leadId: 'l', tag: 't', wieght: 2 }));
  });

  test('take literals, references, texts, expressions and secrets', () => {
    looked(() => lead.action('a', addTag, { leadId: text`${'x'}`, tag: secret('tag'), weight: cel`1 + 1` }));
    looked(() =>
      lead
        .action('a', ping)
        .action('b', 'unknown_command')
        .action('c', 'other', { any: ['thing', 1] }),
    );
  });
});

describe('conditions, variables and outcomes', () => {
  test('a condition is a yes or no', () => {
    looked(() => lead.condition('a', ({ event }) => has(event.data.referrer)).condition('b', 'vars.n > 1'));
    // @ts-expect-error a number is no condition
    looked(() => lead.condition('a', ({ event }) => event.data.company.size));
  });

  test('variables keep their types', () => {
    const counted = lead.vars(({ event }) => ({ rounds: 0, size: event.data.company.size, done: false }));
    looked(() => counted.assign('a', ({ vars }) => ({ rounds: cel`${vars.rounds} + 1`, size: 7 })));
    // @ts-expect-error there is no such variable
    looked(() => counted.assign('a', { round: 1 }));
    // @ts-expect-error it is a number
    looked(() => counted.assign('a', { rounds: 'one' }));
    // @ts-expect-error it is yes or no
    looked(() => counted.assign('a', ({ vars }) => ({ done: vars.rounds })));

    const declared = lead.vars<{ owner?: string; names: string[] }>({ names: [] });
    looked(() => declared.assign('a', { owner: 'ann', names: ['a'] }));
    // @ts-expect-error it may not be set yet
    looked(() => declared.action('a', sendSms, ({ vars }) => ({ to: vars.owner, text: '' })));
  });

  test('an approval leads by its outcomes', () => {
    looked(() =>
      lead
        .approval(
          'ask',
          { outcomes: ['yes', 'no'], form: z.object({ reason: z.string() }) },
          { transitions: { no: 'stop', timeout: 'stop' } },
        )
        .end('stop', ({ nodes }) => {
          expectTypeOf(nodes.ask.outcome).toExtend<Typed<'yes' | 'no' | 'timeout'>>();
          expectTypeOf(nodes.ask.output.data.reason).toExtend<Typed<string>>();
          return { output: nodes.ask.output.data.reason };
        })
        .build(),
    );
    // @ts-expect-error there is no such outcome
    looked(() => lead.approval('ask', { outcomes: ['yes', 'no'] }, { transitions: { maybe: 'ask' } }).build());
    // @ts-expect-error nor is there by default
    looked(() => lead.approval('ask', {}, { transitions: { declined: 'ask' } }).build());
    looked(() =>
      lead
        .approval('ask', ({ event }) => ({ title: event.data.name, outcomes: ['yes', 'no'] }), {
          transitions: { no: 'ask', timeout: 'ask' },
        })
        .build(),
    );
  });

  test('a wait for events leads by their types', () => {
    looked(() =>
      lead
        .event('pay', [paid, refused], { timeout: '1d' }, { transitions: { 'order.refused': 'stop', timeout: 'stop' } })
        .end('stop')
        .build(),
    );
    looked(() =>
      lead
        .event('pay', paid, ({ event }) => ({
          correlate: { 'data.orderId': event.data.id },
          filter: ({ event: payment }) => cel`${payment.data.amount} > ${event.data.company.size}`,
        }))
        .output(({ nodes }) => {
          expectTypeOf(nodes.pay.output.data.amount).toExtend<Typed<number>>();
          return null;
        }),
    );
    // @ts-expect-error no such event is waited for
    looked(() => lead.event('pay', [paid, refused], {}, { transitions: { 'order.lost': 'pay' } }));
    // @ts-expect-error payments have no such field
    looked(() => lead.event('pay', paid, { filter: ({ event }) => cel`${event.data.reason} == ''` }));
  });

  test('what is emitted has the data of its type', () => {
    looked(() => lead.emit('tell', paid, ({ event }) => ({ orderId: event.data.id, amount: 1 })));
    // @ts-expect-error the amount is missing
    looked(() => lead.emit('tell', paid, ({ event }) => ({ orderId: event.data.id })));
  });
});

describe('scopes', () => {
  const forked = lead.parallel('fork', {
    left: (branch) => branch.action('tag', addTag, ({ event }) => ({ leadId: event.data.id, tag: 'a' })),
    right: (branch) =>
      branch
        .action('owner', assignLead, ({ event }) => ({ leadId: event.data.id, team: 'sales' }))
        .output(({ nodes }) => ({ who: nodes.owner.output.ownerId, fixed: 1 })),
  });

  test('branches give the join their outputs', () => {
    looked(() =>
      forked.output(({ nodes }) => {
        expectTypeOf(nodes.fork.output.left.tags).toExtend<Typed<string[]>>();
        expectTypeOf(nodes.fork.output.right.who).toExtend<Typed<string>>();
        expectTypeOf(nodes.fork.output.right.fixed).toExtend<Typed<number>>();
        return null;
      }),
    );
    // @ts-expect-error the branch has no such output
    looked(() => forked.output(({ nodes }) => nodes.fork.output.right.load));
    // @ts-expect-error nodes of a branch cannot be seen outside
    looked(() => forked.output(({ nodes }) => nodes.owner.output));
    looked(() =>
      lead
        .parallel(
          'fork',
          { a: (branch) => branch.action('x', assignLead, { leadId: 'a', team: 'sales' }) },
          { join: { count: 1 } },
        )
        .output(({ nodes }) => {
          expectTypeOf(nodes.fork.output.a.status).toExtend<Typed<string>>();
          expectTypeOf(nodes.fork.output.a.output.ownerId).toExtend<Typed<string | undefined>>();
          return null;
        }),
    );
  });

  test('items have the type of the list', () => {
    const order = define('order').input(z.object({ lines: z.array(z.object({ sku: z.string(), n: z.number() })) }));
    looked(() =>
      order
        .forEach(
          'each',
          ({ input }) => ({ items: input.lines, as: 'line', concurrency: 5 }),
          (each) => each.action('tag', addTag, ({ line, index }) => ({ leadId: line.sku, tag: 't', weight: index })),
        )
        .output(({ nodes }) => {
          expectTypeOf(at(nodes.each.output, 0).tags).toExtend<Typed<string[] | undefined>>();
          return null;
        }),
    );
    looked(() =>
      order.forEach(
        'each',
        ({ input }) => ({ items: input.lines }),
        (each) =>
          // @ts-expect-error lines have no such field
          each.action('tag', addTag, ({ item }) => ({ leadId: item.id, tag: 't' })),
      ),
    );
  });

  test('children are given what they need', () => {
    const child = define('child')
      .input(z.object({ n: z.number() }))
      .output(({ input }) => ({ twice: input.n }))
      .end('e')
      .output(({ input }) => ({ twice: input.n }));
    const built = {} as ReturnType<typeof child.build>;
    looked(() => lead.workflow('go', built, { n: 1 }).output(({ nodes }) => nodes.go.output.twice));
    // @ts-expect-error it needs a number
    looked(() => lead.workflow('go', built, { n: 'one' }));
    looked(() => lead.workflow('go', 'by-id', { any: 1 }).workflow('by_hand', { workflowType: 'ship' }));
  });
});

describe('jumps', () => {
  it('go to nodes that are there, before or after', () => {
    const looped = lead
      .action('first', ping)
      .condition('again', 'true', { nextNodeId: 'first', fallbackNodeId: 'last', maxVisits: 3 })
      .end('last');
    expect(looped.build().nodes).toHaveLength(3);
  });

  it('stay in their scope', () => {
    looked(() =>
      lead
        .scope('in', (scope) => scope.end('a').delay('b', '1s', { nextNodeId: 'a' }))
        .parallel('fork', { left: (branch) => branch.end('c').condition('d', 'true', { fallbackNodeId: 'c' }) })
        .forEach('each', { items: '[1]' }, (each) => each.end('e').delay('f', '1s', { nextNodeId: 'e' }))
        .build(),
    );
  });

  it('to others keep a definition from being built', () => {
    const lost = lead.action('first', ping, undefined, { catch: [{ errors: ['*'], nextNodeId: 'lsat' }] }).end('last');
    // @ts-expect-error no node is called "lsat"
    expect(() => lost.build()).toThrow('lsat');
    // @ts-expect-error nor is one in this branch: jumps stay in their scope
    looked(() => lead.end('out').scope('in', (scope) => scope.delay('a', '1s', { nextNodeId: 'out' })));
    // @ts-expect-error a case leads nowhere
    expect(() => lead.switch('s', { cases: [{ when: 'true', nextNodeId: 'nowhere' }] }).build()).toThrow('nowhere');
  });

  it('need ids that are taken once', () => {
    // @ts-expect-error the id is taken
    expect(() => lead.end('a').end('a').build()).toThrow('"a"');
  });
});
