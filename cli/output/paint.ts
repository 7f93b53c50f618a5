/**
 * Colours and plain text for people.
 */
import picocolors from 'picocolors';
import type { Sink } from '../io.ts';

export type Paint = ReturnType<typeof picocolors.createColors>;

export function paintFor({ colours }: Pick<Sink, 'colours'>): Paint {
  return picocolors.createColors(colours);
}

const STATE_COLOURS = {
  completed: 'green',
  success: 'green',
  open: 'yellow',
  running: 'cyan',
  executing: 'cyan',
  paused: 'yellow',
  failed: 'red',
  cancelled: 'magenta',
} as const;

/** The name of a state in its colour. */
export function paintState(paint: Paint, state: string): string {
  return Object.hasOwn(STATE_COLOURS, state) ? paint[STATE_COLOURS[state as keyof typeof STATE_COLOURS]](state) : state;
}

// oxlint-disable-next-line no-control-regex -- these are what it is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text from outside made harmless for a terminal: what could move its cursor is shown, not obeyed. */
export function plain(text: string): string {
  return text.replace(CONTROLS, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
