/**
 * Rule about secrets: none in clear, and references to them only where workers put the value in.
 *
 * What it is: a net for slips. What it is not: a proof; a password under an innocent name passes. No message shows the text.
 */
import type { IssueList } from '../issue.ts';
import { isList, isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import { SECRET_KEY } from '../secret-references.ts';
import type { Json, JsonObject } from '../types.ts';
import type { Rule } from './context.ts';
import { isTemplate } from './literals.ts';
import type { Site } from './sites.ts';

export const checkSecrets: Rule = ({ sites, issues }) => {
  for (const site of sites) {
    if (site.kind === 'template') visit(site.value, site.keys, { site, issues });
    else if (typeof site.value === 'string' && quotesSecret(site.value)) addClear(site.keys, issues);
  }
};

const SECRET_NAME =
  /(?:^|[_-])(?:password|passwd|passphrase|pwd|secret|token|authorization|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)$/i;
const SECRET_CAMEL = /(?:Password|Passwd|Passphrase|Secret|Token|ApiKey|AccessKey|PrivateKey|Credentials?)$/;
/** How keys of well-known services look, private keys, JSON web tokens, and passwords in addresses. */
const SECRET_TEXT =
  /^(?:Bearer |Basic )?(?:[spr]k_(?:live|test)_\w{8}|AKIA[0-9A-Z]{16}|gh[pousr]_\w{20}|github_pat_\w{20}|glpat-[\w-]{16}|xox[abprs]-|eyJ[\w-]{10,}\.[\w-]{10,}\.)|-----BEGIN [A-Z ]*PRIVATE KEY-----|^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:/@]{1,200}:[^\s:/@$]{1,200}@/;
const QUOTED = /"([^"\\]{8,500})"|'([^'\\]{8,500})'/g;

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
  if (Object.hasOwn(value, SECRET_KEY)) return checkReference(value, keys, context);
  for (const [key, child] of Object.entries(value)) visit(child, [...keys, key], context);
}

function checkReference(value: JsonObject, keys: Keys, { site, issues }: Visit): void {
  if (!site.isPayload) {
    const message = 'a secret can be given to a command only; here its value would be stored in the history';
    issues.add('definition.secret_outside_payload', keys, message);
  } else if (typeof value[SECRET_KEY] !== 'string' || Object.keys(value).length > 1) {
    const message = 'a secret is written as { "$secret": "name" }, with a plain name and nothing beside it';
    issues.add('definition.invalid_value', keys, message);
  } else if (isTemplate(value[SECRET_KEY])) {
    const message = 'the name of a secret is fixed; data must not choose which secret is sent';
    issues.add('definition.invalid_value', [...keys, SECRET_KEY], message);
  }
}

function checkText(text: string, keys: Keys, { issues }: Visit): void {
  const name = nameOf(keys);
  const named = (SECRET_NAME.test(name) || SECRET_CAMEL.test(name)) && text.trim() !== '' && !isTemplate(text);
  if (named || SECRET_TEXT.test(text) || (isTemplate(text) && quotesSecret(text))) addClear(keys, issues);
}

/** Whether an expression holds a text that looks like a secret. */
function quotesSecret(expression: string): boolean {
  return [...expression.matchAll(QUOTED)].some(([, double, single]) => SECRET_TEXT.test(double ?? single ?? ''));
}

function addClear(keys: Keys, issues: IssueList): void {
  const message = `"${nameOf(keys)}" looks like a secret in clear text; write { "$secret": "name" } and set it for the workers`;
  issues.add('definition.secret_in_clear', keys, message);
}

/** The name of a value; of an item in a list, that of the list. */
function nameOf(keys: Keys): string {
  return keys.findLast((key) => typeof key === 'string') ?? '';
}
