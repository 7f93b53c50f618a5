/**
 * Verbs that are planned and not in this release: whoever tries one hears so, and what to do instead, rather than
 * "unknown command".
 */
import type { Command } from 'commander';
import { FermataError } from '../definitions/index.ts';

/** Noun → verb → what to do instead. */
const LATER: { readonly [noun: string]: { readonly [verb: string]: string } } = {
  definitions: { diff: 'Compare what `fermata definitions show ID --version N --json` prints.' },
  runs: {
    pause: 'A run can be cancelled: `fermata runs cancel ID`.',
    resume: 'Runs cannot be paused yet.',
    retry: 'Start a new run: `fermata runs start DEFINITION --input …`.',
    migrate: 'Runs stay on the version that they began with; new runs get the active one.',
  },
};

/** Adds them to a noun, hidden from its help. */
export function addLaterVerbs(noun: Command): void {
  for (const [verb, remedy] of Object.entries(LATER[noun.name()] ?? {})) {
    noun
      .command(verb, { hidden: true })
      .argument('[anything...]')
      .allowUnknownOption()
      .action(() => {
        const name = `fermata ${noun.name()} ${verb}`;
        throw new FermataError('usage.invalid', `\`${name}\` is not in this release`, { command: name, remedy });
      });
  }
}
