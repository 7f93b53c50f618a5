/**
 * Rules about expressions: they parse, and what they read exists and can be there.
 */
import { compileExpression, compileTemplate, ExpressionSyntaxError, splitTemplate } from '../expressions/index.ts';
import { excerpt } from '../excerpt.ts';
import { RESERVED_WORDS } from '../expressions/reserved-words.ts';
import type { IssueList } from '../issue.ts';
import type { Keys } from '../json/path.ts';
import type { Rule } from './context.ts';
import { templateTexts } from './expression-texts.ts';
import { judgeReference, type Read } from './references.ts';
import type { Site } from './sites.ts';

export const checkExpressions: Rule = ({ outline, sites, flow, issues, handlers }) => {
  for (const site of sites) {
    const steps = site.place === null ? [] : flow.stepsOf(site.place);
    for (const reference of referencesAt(site, issues)) {
      judgeReference(reference, {
        site,
        steps,
        flow,
        handlers,
        inputSchema: outline.document['input'],
        report: (code, message, severity) => {
          issues.addAs(
            { severity: severity ?? 'error', code },
            reference.keys,
            `${message} (in ${quoted(reference.text)})`,
          );
        },
      });
    }
  }
};

interface PlacedReference extends Read {
  readonly text: string;
  readonly keys: Keys;
}

/** What a site reads, each with the keys of its text. Adds an issue for each text that does not parse. */
function referencesAt({ kind, value, keys }: Site, issues: IssueList): readonly PlacedReference[] {
  const texts =
    kind === 'expression' ? [{ text: typeof value === 'string' ? value : '', keys }] : templateTexts(value, keys);
  return texts.flatMap(({ text, keys: at }) => {
    try {
      const references = kind === 'expression' ? compileExpression(text).references : templateReferences(text);
      return references.map((reference) => ({ ...reference, text, keys: at }));
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
      const message = `${error.message} (character ${error.offset + 1} of ${quoted(error.text)})`;
      issues.add('definition.expression_invalid', at, message);
      return [];
    }
  });
}

const PLAIN = /^[A-Za-z_]\w{0,63}(?:\.[A-Za-z_]\w{0,63}){1,15}$/;
/** Most templates only name values. Reading those without the parser keeps the check of a large document quick. */
function templateReferences(text: string): readonly Read[] {
  const parts = splitTemplate(text);
  const paths = parts.flatMap((part) => (part.kind === 'literal' ? [] : [part.text]));
  if (!paths.every((path) => PLAIN.test(path))) return compileTemplate(text).references;
  const reads = paths.map((path) => ({ path: path.split('.'), guarded: false }));
  const isReadable = reads.every(({ path }) => !path.some((key) => RESERVED_WORDS.has(key)));
  return isReadable ? reads : compileTemplate(text).references;
}

/** Characters of an expression that a message shows. */
const LONGEST_SHOWN = 80;

function quoted(text: string): string {
  return `\`${excerpt(text, LONGEST_SHOWN)}\``;
}
