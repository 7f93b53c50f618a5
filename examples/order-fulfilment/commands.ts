/** The handlers of a small shop. Each writes under its idempotency key; those with a `rollback` can be taken back. */
import { CommandError, defineCommand } from 'fermata/activities';
import { z } from 'zod';
import { exampleService } from '../example-service.ts';

const shop = exampleService('shop');
export const closeShop = shop.close;

/** Of each article the warehouse has so many. */
const SHELF = 100;

export const scoreOrder = defineCommand({
  type: 'score_order',
  input: z.object({ orderId: z.string(), total: z.number() }),
  output: z.object({ score: z.number().min(0).max(1) }),
  async execute({ total }) {
    return { score: total >= 5000 ? 0.9 : 0.1 };
  },
});

export const reserveStock = defineCommand({
  type: 'reserve_stock',
  input: z.object({ sku: z.string(), quantity: z.number().int().positive() }),
  output: z.object({ reservation: z.string() }),
  async execute({ sku, quantity }, ctx) {
    if (quantity > SHELF) {
      throw new CommandError('SOLD_OUT', `there are not ${quantity} of ${sku}`, { retryable: false });
    }
    return { reservation: await shop.perform(ctx.idempotencyKey, 'reserve', { sku, quantity }) };
  },
  async rollback(_input, { reservation }) {
    await shop.takeBack(reservation);
  },
});

export const chargeCard = defineCommand({
  type: 'charge_card',
  input: z.object({ card: z.string(), amount: z.number().positive() }),
  output: z.object({ charge: z.string() }),
  retry: { maxAttempts: 5 },
  timeout: '30s',
  async execute({ card, amount }, ctx) {
    if (card === 'tok_declined') throw new CommandError('CARD_DECLINED', 'the bank says no', { retryable: false });
    return { charge: await shop.perform(ctx.idempotencyKey, 'charge', { amount }) };
  },
  async rollback(_input, { charge }) {
    await shop.takeBack(charge);
  },
});

export const bookCourier = defineCommand({
  type: 'book_courier',
  input: z.object({ orderId: z.string() }),
  output: z.object({ pickup: z.string() }),
  async execute({ orderId }, ctx) {
    return { pickup: await shop.perform(ctx.idempotencyKey, 'book', { orderId }) };
  },
  async rollback(_input, { pickup }) {
    await shop.takeBack(pickup);
  },
});

export const dispatchOrder = defineCommand({
  type: 'dispatch_order',
  input: z.object({ orderId: z.string(), pickup: z.string() }),
  output: z.object({ parcel: z.string() }),
  async execute({ orderId, pickup }, ctx) {
    return { parcel: await shop.perform(ctx.idempotencyKey, 'dispatch', { orderId, pickup }) };
  },
});

export const writeToCustomer = defineCommand({
  type: 'write_to_customer',
  input: z.object({ to: z.email(), text: z.string() }),
  output: z.object({ messageId: z.string() }),
  async execute({ to, text }, ctx) {
    return { messageId: await shop.perform(ctx.idempotencyKey, 'write', { to, text }) };
  },
});

export const commands = [scoreOrder, reserveStock, chargeCard, bookCourier, dispatchOrder, writeToCustomer];
