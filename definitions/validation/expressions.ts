/**
 * Rules about expressions: they parse, and what they read exists and can be there.
 */
import { compileExpression, compileTemplate, ExpressionSyntaxError, type Reference } from '../expressions/index.ts';
import type { IssueList } from '../issue.ts';
import { fromPointer } from '../path.ts';
import type { Json } from '../types.ts';
import type { Rule } from './context.ts';
import { Flow } from './flow.ts';
import { judgeReference } from './references.ts';
import { type Site, sitesOf } from './sites.ts';

export const checkExpressions: Rule = ({ outline, issues, handlers }) => {
  const flow = new Flow(outline);
  for (const site of sitesOf(outline)) {
    const steps = site.place === null ? [] : flow.stepsOf(site.place);
    for (const reference of referencesAt(site, issues)) {
      const keys = [...site.keys, ...fromPointer(reference.pointer)];
      judgeReference(reference, {
        site,
        steps,
        flow,
        handlers,
        inputSchema: outline.document['input'],
        report: (code, message, severity) => {
          issues.addAs(severity ?? 'error', code, keys, `${message} (in ${cut(reference.text)})`);
        },
      });
    }
  }
};

/** The references of a site; adds an issue where it does not parse. */
function referencesAt({ kind, value, keys }: Site, issues: IssueList): readonly Reference[] {
  try {
    if (kind === 'template') return plainReference(value) ?? compileTemplate(value).references;
    return compileExpression(String(value)).references;
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    const at = [...keys, ...fromPointer(error.pointer)];
    const message = `${error.message} (character ${error.offset + 1} of ${cut(error.text)})`;
    issues.add('definition.expression_invalid', at, message);
    return [];
  }
}

const PLAIN = /^\$\{([A-Za-z_]\w{0,63}(?:\.[A-Za-z_]\w{0,63}){1,15})\}$/;
/** Words that CEL keeps for itself. */
const CEL_WORDS =
  /\b(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)\b/;

/** Most templates only name a value. Reading these without the parser keeps the check of a large document quick. */
function plainReference(value: Json): readonly Reference[] | null {
  const path = typeof value === 'string' ? PLAIN.exec(value)?.[1] : undefined;
  if (path === undefined || CEL_WORDS.test(path)) return null;
  return [{ path: path.split('.'), guarded: false, offset: 2, text: String(value), pointer: '' }];
}

function cut(text: string): string {
  return `\`${text.length > 80 ? `${text.slice(0, 79)}…` : text}\``;
}
