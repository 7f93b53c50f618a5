/**
 * Checks a definition document and reports every fault at once.
 *
 * What it is: form (`schema/`), then meaning (`validation/`), in one pass over all scopes. What it is not: what a
 * release can run; that is {@link unsupportedIssues}.
 *
 * Invariants:
 * 1. No document, however hostile, makes it throw or hang; each refusal names a path.
 * 2. A fault of form in one node hides no fault of another node.
 * 3. The definition it returns is the document itself, unchanged.
 */
import { isFermataError } from './fermata-error.ts';
import type { HandlerCatalog } from './handler-catalog.ts';
import { hasErrors, type Issue, IssueList } from './issue.ts';
import { isObject } from './json/json-kinds.ts';
import { toJson } from './json/json-value.ts';
import { type Keys, toPointer } from './json/path.ts';
import type { Position } from './json/positions.ts';
import { LIMITS } from './limits.ts';
import { checkStructure } from './schema/structure.ts';
import type { Definition, Json } from './types.ts';
import type { DefinitionCatalog } from './validation/context.ts';
import { finishIssues } from './validation/finish.ts';
import { Flow } from './validation/flow.ts';
import { nodeKeysAt, outlineOf } from './validation/outline.ts';
import { RULES } from './validation/rules.ts';
import { sitesOf } from './validation/sites.ts';
import { checkSupport } from './validation/unsupported.ts';

export interface CheckOptions {
  /** Named in the issues. */
  readonly file?: string;
  /** The handlers that are known: unknown commands, wrong payloads and outputs are then found. */
  readonly handlers?: HandlerCatalog;
  /** Whether `handlers` is all there is, which makes an unknown command an error. Default `false`. */
  readonly handlersComplete?: boolean;
  /** Other definitions by id: those that start each other without end are then found. */
  readonly definitions?: DefinitionCatalog;
  /** Names of the calendars that are stored: delays that count on others are then found. */
  readonly calendars?: readonly string[];
  /** Whether to report also what this release does not run yet, as `definition.unsupported`. Default `false`. */
  readonly runnable?: boolean;
}

export interface CheckResult {
  /** `null` when any issue is an error. */
  readonly definition: Definition | null;
  /** In the order of the document where its text is known. */
  readonly issues: readonly Issue[];
}

/** Most nodes of one definition, over all scopes. */
export const MAX_NODES = 10_000;

/** Checks a definition that is already a value. Fields that are `undefined` count as absent. */
export function checkDefinition(document: unknown, options: CheckOptions = {}): CheckResult {
  let json: Json;
  try {
    json = toJson(document, LIMITS.definitionDepth);
  } catch (error) {
    if (!isFermataError(error)) throw error;
    const path = (error.details as { readonly path: string }).path;
    return { definition: null, issues: [rootIssue('definition.syntax', error.message, { ...options, path })] };
  }
  return checkPlaced(json, options, () => null);
}

/** Checks JSON whose places are known. */
export function checkPlaced(
  document: Json,
  options: CheckOptions,
  locate: (keys: Keys) => Position | null,
): CheckResult {
  const found = new IssueList();
  checkStructure(document, found);
  if (isObject(document)) {
    const faulty = new Set(
      found.found
        .filter((issue) => issue.severity === 'error')
        .map((issue) => toPointer(nodeKeysAt(document, issue.keys) ?? ['?'])),
    );
    const outline = outlineOf(document, (keys) => !faulty.has(toPointer(keys)));
    if (outline.nodes.length > MAX_NODES) {
      found.add('definition.too_large', ['nodes'], `a definition has at most ${MAX_NODES} nodes`);
    } else {
      const { handlers = null, handlersComplete = false, definitions = null, calendars = null } = options;
      const shared = { outline, sites: sitesOf(outline), flow: new Flow(outline), issues: found };
      for (const rule of RULES) rule({ ...shared, handlers, handlersComplete, definitions, calendars });
      if (options.runnable === true) checkSupport(outline, found);
    }
  }
  const issues = finishIssues(found, { document, file: options.file ?? null, locate });
  return { definition: hasErrors(issues) ? null : (document as unknown as Definition), issues };
}

/** One issue about the whole, for what is refused before the rules can look. */
export function rootIssue(
  code: 'definition.syntax' | 'definition.too_large',
  message: string,
  at: { readonly file?: string; readonly path?: string; readonly position?: Position | null },
): Issue {
  const { file = null, path = '', position = null } = at;
  return {
    code,
    severity: 'error',
    path,
    nodeId: null,
    file,
    line: position?.line ?? null,
    column: position?.column ?? null,
    message,
  };
}
