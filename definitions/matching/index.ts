/** Which subscribed definitions an event matches. */
export type { Mismatch } from './mismatch.ts';
export {
  type Explanation,
  type ExplainOptions,
  type Match,
  type Matched,
  type NotMatched,
  type Subscription,
  SubscriptionIndex,
} from './subscription-index.ts';
