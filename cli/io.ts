/**
 * The outside world as the command line sees it: streams, environment, folder, clock. Tests hand in their own.
 */
import picocolors from 'picocolors';
import { interruption } from './interruption.ts';

export interface Io {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** All of standard input, as text. */
  readStdin(): Promise<string>;
  /** `fermata dev` adds to it what handlers in its process are to find. */
  readonly env: Record<string, string | undefined>;
  /** The folder that relative file names start from. */
  readonly cwd: string;
  /** Milliseconds since 1970. */
  now(): number;
  /** From the first call on, Ctrl-C and SIGTERM abort this signal instead of ending the process. */
  interruption(): AbortSignal;
}

export interface Sink {
  write(text: string): void;
  readonly colours: boolean;
  /** Only where it is a terminal. */
  readonly terminal: NodeJS.WriteStream | null;
}

export function processIo(): Io {
  return {
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    readStdin,
    env: process.env,
    cwd: process.cwd(),
    now: Date.now,
    interruption,
  };
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  const terminal = stream.isTTY ? stream : null;
  return {
    write: (text) => void stream.write(text),
    colours: terminal !== null && !process.env['NO_COLOR'] && picocolors.isColorSupported,
    terminal,
  };
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
