/**
 * How payloads become values inside the workflow: as Temporal's own converter does it, but without throwing.
 *
 * Whoever may write to a namespace can send a signal that is no JSON. Where a converter throws on it, Temporal fails the
 * workflow task and hands it out again, for ever.
 *
 * Invariants:
 * 1. What cannot be decoded is an {@link Undecodable} in its place. Raw bytes are no value here either.
 * 2. What the workflow gives out is encoded as by Temporal's default.
 */
import {
  ApplicationFailure,
  CompositePayloadConverter,
  JsonPayloadConverter,
  type Payload,
  type PayloadConverter,
  UndefinedPayloadConverter,
} from '@temporalio/common';
import { reasonOf } from '../../definitions/reason-of.ts';
import { Undecodable } from '../undecodable.ts';

/**
 * A promise that is resolved with one rejects, and the answer of a command is resolved into a promise: so an answer that
 * can be read costs no look at it.
 */
class UndecodableAnswer extends Undecodable {
  then(_resolve: unknown, reject: (failure: Error) => void): void {
    reject(ApplicationFailure.nonRetryable(`The answer cannot be decoded: ${this.reason}`, 'OUTPUT_INVALID'));
  }
}

const values = new CompositePayloadConverter(new UndefinedPayloadConverter(), new JsonPayloadConverter());

/** The bundle finds it by this name. */
export const payloadConverter: PayloadConverter = {
  toPayload: (value) => values.toPayload(value),
  fromPayload<T>(payload: Payload): T {
    try {
      return values.fromPayload<T>(payload);
    } catch (fault) {
      return new UndecodableAnswer(reasonOf(fault)) as T;
    }
  },
};
