/**
 * What runs do, for whoever looks at `fermata dev`: one line per beginning and end of a run, and per failed attempt.
 */
import type { StoryLine } from '../../workers/index.ts';
import { type Paint, paintState, plain } from './paint.ts';
import { errorInfoText } from './run-text.ts';

export function storyText(paint: Paint, line: StoryLine): string {
  if (line.kind === 'run') return runLine(paint, line);
  const { commandId, command, attempt, error, willRetry } = line;
  const next = willRetry === null ? '' : willRetry ? '; it is tried again' : '; it is not tried again';
  const what = `attempt ${attempt} of ${command} failed: ${error.type}: ${oneLine(error.message)}${next}`;
  return `${plain(commandId)} ${paint.yellow(plain(what))}`;
}

function runLine(paint: Paint, line: Extract<StoryLine, { readonly kind: 'run' }>): string {
  const { runId, state, version, error } = line;
  if (state === 'running')
    return `${paint.bold(plain(runId))} started${version === null ? '' : ` (version ${version})`}`;
  const why = error === null ? '' : `: ${oneLine(errorInfoText(error))}`;
  return `${paint.bold(plain(runId))} ${paintState(paint, state)}${why}`;
}

function oneLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
