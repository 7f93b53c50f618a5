/**
 * Questions about time as a run asks them: of one calendar it sees one version from its first use on.
 */
import type { TimeQuestion } from '../definitions/time/question.ts';
import type { Scope } from './scope.ts';

/** The moment that a question asks for. Rejects as {@link Effects.resolveTime} does. */
export async function askTime(scope: Scope, question: TimeQuestion): Promise<number> {
  const { effects, run } = scope;
  if (question.kind !== 'working' && question.kind !== 'opening') return (await effects.resolveTime(question)).at;
  const { checkpoint } = run;
  const pinned = (): number | null => versionOf(checkpoint.calendars, question.calendar);
  const { at, version } = await effects.resolveTime({ ...question, version: pinned() });
  // Another branch may have been the first meanwhile, and seen another version.
  if (pinned() !== null && pinned() !== version) return askTime(scope, question);
  if (version !== null) checkpoint.calendars = { ...checkpoint.calendars, [question.calendar]: version };
  return at;
}

function versionOf(calendars: { readonly [name: string]: number } = {}, name: string): number | null {
  return Object.hasOwn(calendars, name) ? (calendars[name] as number) : null;
}
