/**
 * Rules about secrets: none in clear, and references to them only where workers put the value in.
 *
 * What it is: a net for slips. What it is not: a proof; a password under an innocent name passes.
 */
import type { IssueList } from '../issue.ts';
import { isList, isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import { SECRET_KEY } from '../secret-references.ts';
import type { Json } from '../types.ts';
import type { Rule } from './context.ts';
import { isTemplate } from './literals.ts';
import { type Site, sitesOf } from './sites.ts';

export const checkSecrets: Rule = ({ outline, issues }) => {
  for (const site of sitesOf(outline)) {
    if (site.kind === 'template') visit(site.value, site.keys, { site, issues });
  }
};

const SECRET_NAME = /(?:^|[_-])(?:password|passwd|pwd|secret|token|api[_-]?key|private[_-]?key|credentials?)$/i;
const SECRET_CAMEL = /(?:Password|Passwd|Secret|Token|ApiKey|PrivateKey|Credentials?)$/;
const SECRET_TEXT =
  /^(?:sk|pk|rk)_(?:live|test)_\w{8}|^AKIA[0-9A-Z]{16}|^gh[pousr]_\w{20}|^xox[abprs]-|^eyJ[\w-]{10,}\.[\w-]{10,}\.|-----BEGIN [A-Z ]*PRIVATE KEY-----|^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:[^\s:/@]+@/;

interface Visit {
  readonly site: Site;
  readonly issues: IssueList;
}

function visit(value: Json, keys: Keys, context: Visit): void {
  if (typeof value === 'string') return checkText(value, keys, context);
  if (isList(value)) {
    for (const [index, item] of value.entries()) visit(item, [...keys, index], context);
    return;
  }
  if (!isObject(value)) return;
  if (Object.hasOwn(value, SECRET_KEY)) return checkReference(keys, context);
  for (const [key, child] of Object.entries(value)) visit(child, [...keys, key], context);
}

function checkReference(keys: Keys, { site, issues }: Visit): void {
  if (site.isPayload) return;
  const message = 'a secret can be given to a command only; here its value would be stored in the history';
  issues.add('definition.secret_outside_payload', keys, message);
}

/** Never shows the text itself. */
function checkText(text: string, keys: Keys, { issues }: Visit): void {
  const name = String(keys.at(-1));
  const named = (SECRET_NAME.test(name) || SECRET_CAMEL.test(name)) && text.trim() !== '' && !isTemplate(text);
  if (!named && !SECRET_TEXT.test(text)) return;
  const message = `"${name}" looks like a secret in clear text; write { "$secret": "name" } and set it for the workers`;
  issues.add('definition.secret_in_clear', keys, message);
}
