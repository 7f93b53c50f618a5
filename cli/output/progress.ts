/**
 * What is going on, on standard error: a spinner on a terminal, one line per step elsewhere.
 */
import ora from 'ora';
import type { Io } from '../io.ts';

export interface Progress {
  /** Says what is done now. */
  step(text: string): void;
  /** Ends it; whatever comes next starts on a line of its own. */
  stop(): void;
}

/** @param options.quiet says nothing where there is no terminal */
export function startProgress({ stderr }: Io, options: { readonly quiet?: boolean } = {}): Progress {
  if (stderr.terminal === null) {
    return { step: options.quiet === true ? () => {} : (text) => stderr.write(`${text}\n`), stop: () => {} };
  }
  // Ctrl-C stays ours: the spinner would otherwise take the keyboard to itself.
  const spinner = ora({ stream: stderr.terminal, discardStdin: false });
  return {
    step: (text) => void spinner.start(text),
    stop: () => void spinner.stop(),
  };
}
