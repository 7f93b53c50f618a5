/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-member-access, typescript/no-unsafe-return, typescript/no-base-to-string -- commands and events without types are among what is tested */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineCommand } from '../../../activities/index.ts';
import { at, cel, define, get, has, type Ref, secret, text } from '../../../definitions/index.ts';
import { NAMES } from '../../../definitions/builder/reference.ts';
import { templateOf } from '../../../definitions/builder/render.ts';
import expense from '../../../examples/expense-approval/definition.json' with { type: 'json' };
import { payExpense, sendNotice } from '../../../examples/expense-approval/commands.ts';
import { ARTICLE, EVERYTHING } from '../documents.ts';
import { addTag, assignLead, type Lead, sendEmail, sendSms } from './commands.ts';

/** The names of a definition with such an input. */
const NAMES_IN_SCOPE = NAMES as {
  readonly event: Ref<{ readonly data: { readonly company?: { readonly size: number } } }>;
  readonly input: Ref<{
    readonly a: number;
    readonly b?: { c: number };
    readonly name: string;
    readonly price: number;
  }>;
  readonly nodes: { readonly ask: { readonly output: Ref<{ readonly data: { readonly reason?: string } }> } };
};

describe('a definition in TypeScript', () => {
  it("is the article's example", () => {
    const built = define('facebook-lead-onboarding', { name: 'Facebook lead onboarding', enabled: true })
      .on<Lead>('lead.created', { filters: { source: 'Facebook' } })
      .condition('check_size', ({ event }) => cel`${event.data.company.size} >= 50`)
      .action('assign', assignLead, ({ event }) => ({ leadId: event.data.id, team: 'enterprise' }), { undo: true })
      .action('tag', addTag, ({ event }) => ({ leadId: event.data.id, tag: 'facebook' }))
      .action('welcome', sendEmail, ({ event, nodes }) => ({
        to: event.data.email,
        template: 'welcome',
        owner: nodes.assign.output.ownerId,
      }))
      .delay('wait', { delayMs: 7_200_000 })
      .action('sms', sendSms, ({ event }) => ({
        to: event.data.phone,
        text: text`Any questions, ${event.data.name}?`,
      }))
      .build();
    expect(built).toEqual(ARTICLE);
  });

  it('is the expense approval, with its rounds', () => {
    const expenseSchema = z.looseObject({
      expenseId: z.string(),
      requester: z.string(),
      purpose: z.string(),
      amount: z.number().positive(),
    });
    const built = define('expense-approval', {
      name: 'Expense approval',
      description: expense.description,
      timeout: '90d',
    })
      .on('expense.submitted')
      .input<z.infer<typeof expenseSchema>>(expense.input)
      .entity(({ input }) => ({ type: 'expense', id: input.expenseId }))
      .vars(({ input }) => ({ amount: input.amount, round: 1 }))
      .condition('size', ({ vars }) => cel`${vars.amount} <= 50`, {
        name: 'Is it small?',
        nextNodeId: 'pay',
        fallbackNodeId: 'review',
      })
      .approval(
        'review',
        ({ input, vars }) => ({
          title: text`${input.purpose}: ${vars.amount} EUR for ${input.requester} (round ${vars.round})`,
          assignees: { roles: ['finance'] },
          exclude: [input.requester],
          quorum: 2,
          timeout: '14d',
        }),
        { name: 'Finance reviews', nextNodeId: 'pay', transitions: { rejected: 'rounds', timeout: 'lapsed' } },
      )
      .condition('rounds', ({ vars }) => cel`${vars.round} < 3`, {
        name: 'Another round?',
        fallbackNodeId: 'refused',
      })
      .action(
        'notice',
        sendNotice,
        ({ input, nodes }) => ({
          to: input.requester,
          text: text`Refused: ${get(at<string | undefined>(nodes.review.output, 'data', 'reason'), 'no reason given')}`,
        }),
        { name: 'Tell the requester' },
      )
      .approval(
        'revise',
        ({ input, vars }) => ({
          title: text`Change and hand in again: ${input.purpose}, ${vars.amount} EUR`,
          assignees: { users: [input.requester] },
          outcomes: ['resubmitted', 'withdrawn'],
          timeout: '30d',
        }),
        { name: 'Requester revises', transitions: { withdrawn: 'withdrawn', timeout: 'withdrawn' } },
      )
      .assign(
        'next_round',
        ({ vars, nodes }) => ({
          round: cel`${vars.round} + 1`,
          amount: get(at<number | undefined>(nodes.revise.output, 'data', 'amount'), vars.amount),
        }),
        { name: 'Take over the changes', nextNodeId: 'review' },
      )
      .action(
        'pay',
        payExpense,
        ({ input, vars }) => ({ expenseId: input.expenseId, to: input.requester, amount: vars.amount }),
        {
          name: 'Pay',
          undo: true,
        },
      )
      .action(
        'receipt',
        sendNotice,
        ({ input, vars }) => ({ to: input.requester, text: text`Paid: ${vars.amount} EUR` }),
        {
          name: 'Send the receipt',
        },
      )
      .end('paid', ({ nodes, vars }) => ({
        output: { paymentId: nodes.pay.output.paymentId, amount: vars.amount, rounds: vars.round },
      }))
      .end('withdrawn', { status: 'cancelled' })
      .end('refused', ({ vars }) => ({
        status: 'failed',
        error: { type: 'EXPENSE_REFUSED', message: text`refused ${vars.round} times` },
      }))
      .end('lapsed', {
        status: 'failed',
        error: { type: 'EXPENSE_LAPSED', message: 'finance did not decide in time' },
      })
      .build();
    expect(built).toEqual(expense);
  });

  it('has every field of the language', () => {
    const { $schema, name, description } = EVERYTHING as { $schema: string; name: string; description: string };
    const options = {
      $schema,
      name,
      description,
      tags: ['test'],
      enabled: false,
      start: 'act',
      defaults: { retry: { maxAttempts: 5 }, timeout: '10s', deadline: '1h', taskQueue: 'q', priority: 3 },
      timeout: '30d',
      onFailure: 'hold',
    } as const;
    const built = define('everything-1.x_y', options)
      .on('order.created', ({ event }) => ({
        filters: {
          source: 'web',
          country: ['FR', 'DE'],
          'company.size': { gte: 50, lt: 1000, ne: 51, eq: 60, gt: 1, lte: 999 },
          '["a.b"].c[0]': { in: [1, null], notIn: ['x'], exists: true, prefix: 'a', suffix: 'b', contains: 'c' },
        },
        filter: 'event.data.score > 3',
        input: { order: event.data },
      }))
      .schedule({
        cron: '30 2 * * *',
        timeZone: 'Europe/Paris',
        overlap: 'skip',
        catchUp: '1h',
        jitter: '30s',
        input: { order: {} },
      })
      .schedule({ every: '15m' })
      .webhook('/crm', { secret: 'crm/webhook', event: 'crm.contact', filters: {}, filter: 'true', input: 1 })
      .input<{ order: { id: string } }>({ type: 'object' })
      .vars<{ total: number; names: string[] }>({ total: 0, names: [] })
      .entity(({ event }) => ({ type: 'order', id: event.data.id }))
      .key(({ event }) => ({ value: event.data.id, onConflict: 'queue' }))
      .action('act', 'act', ({ input }) => ({ a: [input.order, secret('crm/key')], 'x-data': 1 }), {
        name: 'Act',
        description: 'does it',
        fallbackNodeId: 'finish',
        catch: [{ errors: ['TIMEOUT', '*'], nextNodeId: 'finish' }],
        maxVisits: 10,
        version: 2,
        retry: {
          maxAttempts: 3,
          initialInterval: '1s',
          backoffCoefficient: 2,
          maxInterval: '1m',
          jitter: 0.2,
          nonRetryable: ['BAD'],
        },
        timeout: '30s',
        deadline: '1d',
        heartbeat: '5s',
        taskQueue: 'q',
        priority: 1,
        local: false,
        undo: { command: 'unact', payload: ({ nodes }) => nodes.act.output },
      })
      .condition('ask', ({ vars }) => cel`${vars.total} > 3`, { onError: 'false' })
      .switch('pick', ({ vars }) => ({
        cases: [{ when: cel`${vars.total} == ${1}`, nextNodeId: 'set' }],
        defaultNodeId: 'set',
      }))
      .assign('set', ({ vars }) => ({ total: cel`${vars.total} + 1` }))
      .delay('sleep', { duration: 'P1M', timeZone: 'Europe/Paris' })
      .delay('sleep2', { until: '2027-01-31T12:00', calendar: 'work' })
      .delay('sleep3', { cron: '0 9 * * 1' })
      .event(
        'listen',
        ['paid', 'refused'],
        ({ input }) => ({
          correlate: { 'data.orderId': input.order.id },
          filter: ({ event }) => cel`${event.data.amount} > 0`,
          timeout: '1d',
          lookback: '1h',
        }),
        { transitions: { timeout: 'approve' } },
      )
      .approval(
        'approve',
        ({ input, run }) => ({
          title: text`Order ${input.order.id}`,
          description: 'please',
          assignees: { users: ['a', 'b'], roles: ['boss'], queues: ['q'] },
          form: { type: 'object' },
          outcomes: ['yes', 'no', 'maybe'],
          quorum: 2,
          rejectAt: 1,
          exclude: [run.initiator.id],
          subject: input,
          dueIn: '1d',
          reminders: ['4h', '1d'],
          escalate: [{ after: '2d', assignees: { roles: ['bigboss'] }, notify: { to: 'x' } }],
          timeout: '7d',
          priority: 2,
        }),
        { transitions: { maybe: 'fork' }, fallbackNodeId: 'finish' },
      )
      .parallel(
        'fork',
        {
          left: (branch) => branch.assign('left_set', { total: 1 }).output(({ vars }) => vars.total),
          right: (branch) => branch.action('right_act', 'act'),
        },
        { join: { count: 1 }, shared: ['total'], optional: ['left'] },
      )
      .forEach(
        'each',
        { items: '[1, 2, 3]', as: 'number', concurrency: 5 },
        (each) =>
          each
            .action('each_act', 'act', ({ number, index }) => cel`${number} + ${index}`)
            .output(({ nodes }) => nodes.each_act.output),
        { join: 'settled', shared: [] },
      )
      .scope(
        'box',
        (box) => box.action('box_act', 'act', undefined, { undo: true }).output(({ nodes }) => nodes.box_act.output),
        { timeout: '1h', undo: true },
      )
      .workflow('child', 'other', { a: 1 }, { version: 'active', taskQueue: 'q', wait: true, timeout: '1h' })
      .workflow('child2', { workflowType: 'handWritten' }, undefined, { taskQueue: 'q' })
      .emit('tell', 'order.done', ({ vars }) => ({ total: vars.total }), { subject: ({ run }) => run.id })
      .end('finish', ({ run }) => ({
        status: 'failed',
        output: { a: 1 },
        error: { type: 'STOPPED', message: text`because ${run.id}` },
      }))
      .output(({ nodes }) => ({ done: true, last: nodes.finish.outcome }))
      .redact(({ event, nodes }) => [event.data.email, at(nodes.act.output, 'ssn')])
      .build();
    expect(built).toEqual(EVERYTHING);
  });

  it('is a new one at every step: a beginning can be shared', () => {
    const start = define('shared').action('first', 'work');
    const long = start.delay('rest', '1h').build();
    expect(start.build().nodes).toEqual([{ id: 'first', type: 'action', config: { command: 'work' } }]);
    expect(long.nodes[0]).toMatchObject({ nextNodeId: 'rest' });
  });

  it('ends a scope in the middle where it is told to', () => {
    const { nodes } = define('stops')
      .condition('a', 'true', { nextNodeId: 'c', fallbackNodeId: 'b' })
      .action('b', 'work', undefined, { nextNodeId: null })
      .action('c', 'work')
      .build();
    expect(nodes.map(({ nextNodeId }) => nextNodeId)).toEqual(['c', undefined, undefined]);
  });

  it('takes nodes as they stand in JSON', () => {
    const node = { id: 'raw', type: 'delay', config: { duration: '1s' } } as const;
    expect(define('raw').node(node).build().nodes).toEqual([node]);
  });

  it('names the version of a command that is not its first', () => {
    const later = defineCommand({ type: 'tag', version: 3, input: z.void(), output: z.void(), execute() {} });
    const [first] = define('later').action('a', later).build().nodes;
    expect(first?.config).toEqual({ command: 'tag', version: 3 });
  });

  it('takes the JSON Schema from the schema of the input and of a form', () => {
    const built = define('typed')
      .input(z.object({ n: z.number() }))
      .approval('ask', { assignees: { users: ['ann'] }, form: z.object({ reason: z.string().optional() }) })
      .build();
    expect(built.input).toMatchObject({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] });
    expect(built.nodes[0]).toMatchObject({ config: { form: { properties: { reason: { type: 'string' } } } } });
  });

  it('is refused with the issues of the validation', () => {
    expect(() => define('Wrong Id').delay('a', '1 parsec').build()).toThrow(
      expect.objectContaining({ code: 'definition.invalid', details: { issues: expect.any(Array) } }),
    );
    expect(() => define('empty').build()).toThrow('at least one node');
  });
});

describe('expressions', () => {
  const { event, input, nodes } = NAMES_IN_SCOPE;

  it('take plain values as CEL literals', () => {
    const literals = cel`${"it's"} in ${['a', 'b']} || ${{ 'a-b': null }} == ${1.5} && ${true}`;
    expect(templateOf(literals)).toBe(`\${"it's" in ['a', 'b'] || {'a-b': null} == 1.5 && true}`);
  });

  it('stand in others in brackets, unless they are closed', () => {
    const sum = cel`${input.a} + 1`;
    expect(templateOf(cel`${sum} * ${get(input.b.c, 2)}`)).toBe("${(input.a + 1) * get(input, 'b.c', 2)}");
    expect(templateOf(has(event.data.company))).toBe('${has(event.data.company)}');
  });

  it('walk by `get` what may be absent', () => {
    expect(templateOf(get(event.data.company.size, 0))).toBe("${get(event.data, 'company.size', 0)}");
    expect(templateOf(get(nodes.ask.output.data.reason, 'none'))).toBe(
      "${get(nodes.ask.output, 'data.reason', 'none')}",
    );
    expect(templateOf(get(at<number | undefined>(input, 'a.b', 0, 'c'), null))).toBe(
      `\${get(input, '["a.b"][0].c', null)}`,
    );
  });

  it('reach odd keys in brackets', () => {
    expect(templateOf(at(input, 'a.b', 0, 'in'))).toBe('${input["a.b"][0]["in"]}');
  });

  it('put references into texts, and keep what looks like one', () => {
    expect(templateOf(text`Dear ${input.name}, \${x} costs $${input.price} or ${7}`)).toBe(
      "Dear ${input.name}, $${x} costs ${'$'}${input.price} or 7",
    );
    expect(templateOf(`plain ${input.name}`)).toBe('plain ${input.name}');
  });

  it('refuse what has no place in them', () => {
    expect(() => cel`${text`a ${input.name}`} == 'a'`).toThrow('write it in CEL');
    expect(() => text`a ${secret('crm/key')}`).toThrow('the secret crm/key');
    expect(() => has(input)).toThrow('a reference to a field');
  });
});
