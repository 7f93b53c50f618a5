/** The handlers of the expense approval. Both write under `ctx.idempotencyKey`, so an attempt too many does nothing. */
import { defineCommand } from 'fermata/activities';
import { z } from 'zod';
import * as ledger from './ledger.ts';

export const payExpense = defineCommand({
  type: 'pay_expense',
  input: z.object({ expenseId: z.string(), to: z.string(), amount: z.number().positive() }),
  output: z.object({ paymentId: z.string() }),
  async execute({ expenseId, to, amount }, ctx) {
    await ledger.pay({ expenseId, recipient: to, amount, key: ctx.idempotencyKey });
    return { paymentId: ctx.idempotencyKey };
  },
  /** Called when the run fails or is cancelled after the payment. */
  async rollback(_input, { paymentId }) {
    await ledger.reverse(paymentId);
  },
});

export const sendNotice = defineCommand({
  type: 'send_notice',
  input: z.object({ to: z.string(), text: z.string() }),
  output: z.object({ noticeId: z.string() }),
  async execute({ to, text }, ctx) {
    await ledger.notify(to, text, ctx.idempotencyKey);
    return { noticeId: ctx.idempotencyKey };
  },
});

export const commands = [payExpense, sendNotice];
