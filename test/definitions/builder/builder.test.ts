import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { at, cel, define, get, text } from '../../../definitions/index.ts';
import expense from '../../../examples/expense-approval/definition.json' with { type: 'json' };
import { payExpense, sendNotice } from '../../../examples/expense-approval/commands.ts';
import { ARTICLE } from '../documents.ts';
import { addTag, assignLead, type Lead, sendEmail, sendSms } from './commands.ts';

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
});
