/**
 * Definitions of one tenant: publishing them, and which version new runs get.
 */
import { rootIssue } from '../definitions/check-definition.ts';
import {
  type CheckOptions,
  type CheckResult,
  checkDefinition,
  type Definition,
  describeIssue,
  type ErrorCode,
  FermataError,
  type HandlerCatalog,
  type Issue,
  jsonBytes,
  LIMITS,
  parseDefinition,
  resolveBindings,
  unsupportedIssues,
} from '../definitions/index.ts';
import { anything, checkArgument, checkOptions, flag, id as anId, text, wholeNumber } from './check-arguments.ts';
import type { DefinitionSummary, Store, StoredVersion, VersionSummary } from '../store/index.ts';
import { definitionsBehind } from './called-definitions.ts';

export interface PublishOptions {
  /** Named in the issues of a text; its ending tells JSON from YAML. */
  readonly file?: string;
  /** Whether the version becomes the one that new runs get. Default `true`; the first always does. */
  readonly activate?: boolean;
  /** What is known of the handlers. Default: what workers have reported. */
  readonly handlers?: HandlerCatalog;
}

export interface PublishedDefinition {
  readonly id: string;
  readonly version: number;
  /** `false`: a version with this content was there already. */
  readonly created: boolean;
  /** Whether this version is the one that new runs get. */
  readonly active: boolean;
  readonly enabled: boolean;
  readonly hash: string;
  readonly warnings: readonly Issue[];
}

/** Most issues that the message of an error repeats; all are in its details. */
const TOLD = 5;

export class Definitions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Checks a definition, a value or the text of one, and stores it as a version.
   * @throws FermataError `definition.invalid` or `definition.unsupported` with all issues in `details.issues`
   */
  async publish(document: Definition | string, options: PublishOptions = {}): Promise<PublishedDefinition> {
    checkOptions('definitions.publish', options, { file: text, activate: flag, handlers: anything });
    const { file, activate = true } = options;
    const handlers = options.handlers ?? (await this.#store.handlers.catalog());
    const calendars = await this.#store.calendars.names();
    const known = { handlers, calendars, ...(file === undefined ? {} : { file }) };
    const { definition, warnings } = readDefinition(document, known);
    const definitions = await definitionsBehind(this.#store, definition);
    if (definitions !== null) readDefinition(document, { ...known, definitions });
    const bindings = resolveBindings(definition, handlers);
    const published = await this.#store.definitions.publish({ document: definition, bindings, activate });
    const { id, version, created, enabled, hash } = published;
    return { id, version, created, active: published.activeVersion === version, enabled, hash, warnings };
  }

  /** Definitions by id, a page at a time, behind the id `after`. */
  async list(page: { readonly after?: string; readonly limit?: number } = {}): Promise<readonly DefinitionSummary[]> {
    checkOptions('definitions.list', page, { after: text, limit: wholeNumber });
    return await this.#store.definitions.list(page);
  }

  /** One version, whole; default the active one. @throws FermataError `definition.not_found`, `definition.version_not_found` */
  async show(
    id: string,
    version?: number,
  ): Promise<StoredVersion & Pick<DefinitionSummary, 'enabled' | 'activeVersion'>> {
    checkArgument('definitions.show.id', id, anId);
    if (version !== undefined) checkArgument('definitions.show.version', version, wholeNumber);
    const [stored, { enabled, activeVersion }] = await Promise.all([
      this.#store.definitions.get(id, version),
      this.#store.definitions.summary(id),
    ]);
    return { ...stored, enabled, activeVersion };
  }

  /** Oldest first. @throws FermataError `definition.not_found` */
  async versions(id: string): Promise<readonly VersionSummary[]> {
    checkArgument('definitions.versions.id', id, anId);
    return await this.#store.definitions.versions(id);
  }

  /** Gives new runs this version; an older one is a roll-back. Runs under way stay on theirs. */
  async activate(id: string, version: number): Promise<void> {
    checkArgument('definitions.activate.id', id, anId);
    checkArgument('definitions.activate.version', version, wholeNumber);
    await this.#store.definitions.activate(id, version);
  }

  /** Events start runs again. @throws FermataError `definition.not_found` */
  async enable(id: string): Promise<void> {
    checkArgument('definitions.enable.id', id, anId);
    await this.#store.definitions.enable(id);
  }

  /** Events start no more runs; a start by hand still does, and runs under way go on. */
  async disable(id: string): Promise<void> {
    checkArgument('definitions.disable.id', id, anId);
    await this.#store.definitions.disable(id);
  }
}

function readDefinition(
  document: Definition | string,
  options: CheckOptions,
): { readonly definition: Definition; readonly warnings: readonly Issue[] } {
  const { definition, issues }: CheckResult =
    typeof document === 'string' ? parseDefinition(document, options) : checkDefinition(document, options);
  if (definition === null) throw refusal('definition.invalid', document, issues);
  const bytes = jsonBytes(definition as never);
  if (bytes > LIMITS.definitionBytes) {
    const message = `the definition has ${bytes} bytes; the limit is ${LIMITS.definitionBytes}`;
    throw refusal('definition.invalid', definition, [rootIssue('definition.too_large', message, {})]);
  }
  const unsupported = unsupportedIssues(definition);
  if (unsupported.length > 0) throw refusal('definition.unsupported', definition, unsupported);
  return { definition, warnings: issues };
}

function refusal(code: ErrorCode, document: unknown, issues: readonly Issue[]): FermataError {
  const errors = issues.filter((issue) => issue.severity === 'error');
  const { id } = (typeof document === 'object' && document !== null ? document : {}) as { id?: unknown };
  const subject = typeof id === 'string' ? `the definition ${JSON.stringify(id.slice(0, 80))}` : 'the definition';
  const what = code === 'definition.invalid' ? 'is not valid' : 'uses what this release does not run yet';
  const told = errors.slice(0, TOLD).map(describeIssue).join('; ');
  const more = errors.length > TOLD ? `; and ${errors.length - TOLD} more` : '';
  return new FermataError(code, `${subject} ${what}. ${told}${more}`, {
    issues: issues.map((issue) => ({ ...issue })),
  });
}
