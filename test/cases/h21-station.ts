/** Case H21's definition, as it was written and corrected, and the station that it speaks to. */
import { z } from 'zod';
import { CommandError, defineCommand, type Registrable } from '../../activities/index.ts';
import type { Definition, Node } from '../../definitions/types.ts';

export const SCANNED = 'station.card-scanned';
export const FAULTED = 'station.faulted';

interface CallMore {
  readonly about?: object;
  readonly nextNodeId?: string;
  readonly catch?: NonNullable<Node['catch']>;
}
const call = (id: string, does: string, { about = { card: '${event.data.card}' }, ...more }: CallMore = {}): Node => ({
  id,
  type: 'action',
  config: { command: 'station', payload: { does, ...about }, retry: { maxAttempts: 1 } },
  ...more,
});
const emit = (id: string, event: string): Node => ({
  id,
  type: 'emit',
  config: { event: `station.${event}`, data: '${event.data}' },
});

/** @param faulted the type that the routing compares with; the file that the case is from spells it otherwise */
export function station(id: string, faulted: string): Definition {
  return {
    id,
    trigger: [{ event: SCANNED }, { event: FAULTED }],
    key: { value: '${event.data.station}/${get(event, "data.card", "none")}', onConflict: 'queue' },
    nodes: [
      {
        id: 'route',
        type: 'switch',
        config: {
          cases: [
            { when: `event.type == "${SCANNED}"`, nextNodeId: 'lookup' },
            { when: `event.type == "${faulted}"`, nextNodeId: 'support' },
          ],
          defaultNodeId: 'unsupported',
        },
      },
      call('lookup', 'lookup', { nextNodeId: 'end', catch: [{ errors: ['HTTP_404'], nextNodeId: 'acquire' }] }),
      call('acquire', 'acquire', { nextNodeId: 'led_on', catch: [{ errors: ['HTTP_400'], nextNodeId: 'no_slots' }] }),
      {
        id: 'no_slots',
        type: 'condition',
        config: { expression: 'error.message == "No charging slots available"' },
        nextNodeId: 'flicker_red',
        fallbackNodeId: 'refused',
      },
      call('flicker_red', 'flicker'),
      {
        id: 'refused',
        type: 'end',
        config: { status: 'failed', error: { type: 'ACQUIRE_FAILED', message: '${error.nodeId}: ${error.message}' } },
      },
      call('led_on', 'ledOn', { nextNodeId: 'lock' }),
      call('lock', 'lock', { nextNodeId: 'start' }),
      call('start', 'start', { nextNodeId: 'started' }),
      emit('started', 'session-started'),
      call('end', 'end', { nextNodeId: 'pay' }),
      call('pay', 'pay', { nextNodeId: 'unlock' }),
      call('unlock', 'unlock', { nextNodeId: 'flicker' }),
      call('flicker', 'flicker', { nextNodeId: 'ended' }),
      emit('ended', 'session-ended'),
      call('support', 'support', { nextNodeId: 'red', about: {} }),
      call('red', 'ledRed', { nextNodeId: 'broken', about: {} }),
      emit('broken', 'out-of-order'),
      {
        id: 'unsupported',
        type: 'end',
        config: { status: 'failed', error: { type: 'UNSUPPORTED_EVENT', message: 'unsupported event ${event.type}' } },
      },
    ],
  };
}

/** Answers by card: a card in `sessions` charges; one in `faults` gets what it says there. */
export class Station {
  readonly sessions = new Set<string>();
  /** What was done, by card; `none`: without one. */
  readonly ledger = new Map<string, string[]>();
  readonly faults = new Map<string, { readonly does: string; readonly status: number; readonly text: string }>();
  /** Held up until it is called, by card. */
  readonly gates = new Map<string, Promise<void>>();

  command(): Registrable {
    return defineCommand({
      type: 'station',
      input: z.object({ does: z.string(), card: z.string().default('none') }),
      output: z.object({ done: z.string() }),
      execute: ({ does, card }) => this.#do(does, card),
    });
  }

  done(card: string): readonly string[] {
    return this.ledger.get(card) ?? [];
  }

  async #do(does: string, card: string): Promise<{ done: string }> {
    const fault = this.faults.get(card);
    if (fault?.does === does) throw httpError(fault.status, fault.text);
    if (does === 'lookup' && !this.sessions.has(card)) throw httpError(404, 'No session');
    if (does === 'ledOn') await this.gates.get(card);
    if (does === 'start') this.sessions.add(card);
    if (does === 'end') this.sessions.delete(card);
    if (does !== 'lookup' && does !== 'acquire') this.ledger.set(card, [...this.done(card), does]);
    return { done: does };
  }
}

function httpError(status: number, text: string): CommandError {
  return new CommandError(`HTTP_${status}`, text, { retryable: false });
}
