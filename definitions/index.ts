/**
 * `fermata/definitions`: the language, without servers, clocks or I/O.
 */
export { allNodes } from './all-nodes.ts';
export type * from './types.ts';
export type { ErrorInfo, RunErrorType } from './errors.ts';
export { RunError } from './errors.ts';
export type * from './records.ts';
export { LIMITS } from './limits.ts';

export { type CheckOptions, type CheckResult, checkDefinition, MAX_NODES } from './check-definition.ts';
export { parseDefinition } from './parse-definition.ts';
export { MAX_ISSUES } from './validation/finish.ts';
export type { DefinitionCatalog } from './validation/context.ts';
export { calledDefinitions } from './validation/self-call.ts';
export { unsupportedIssues } from './validation/unsupported.ts';
export { describeIssue, hasErrors, type Issue } from './issue.ts';
export { ISSUE_CODES, type IssueCode } from './issue-codes.ts';

export {
  at,
  type Built,
  cel,
  define,
  type EventOf,
  type EventType,
  eventType,
  type Expr,
  get,
  has,
  type Names as NamesInScope,
  type Ref,
  secret,
  type SourceOptions,
  text,
  toBuilderSource,
  type Typed,
  type Value,
} from './builder/index.ts';

export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export { type ErrorDocument, FermataError, isFermataError } from './fermata-error.ts';

export { MAX_DURATION_MS, parseDuration, parsePeriod, type Period } from './duration.ts';
export { type Cron, parseCron } from './cron.ts';
export type { Calendar, Hours, Weekday } from './time/calendar.ts';
export { readCalendar } from './time/calendar-schema.ts';
export { isTimeZone } from './validation/time-zones.ts';
export { type FilterMismatch, matchFilters } from './filters.ts';
export {
  bindingFor,
  DEFAULT_COMMAND_VERSION,
  type HandlerCatalog,
  type HandlerEntry,
  handlerOf,
  resolveBindings,
  versionsOf,
} from './handler-catalog.ts';
export {
  type CompiledExpression,
  type CompiledTemplate,
  compileExpression,
  compileTemplate,
  ExpressionSyntaxError,
  Meter,
  type Names,
  type Reference,
} from './expressions/index.ts';
export {
  type Match,
  type Matched,
  type NotMatched,
  type Subscription,
  SubscriptionIndex,
} from './matching/index.ts';
export { type SchemaMismatch, validateJson } from './json/json-schema.ts';
export { type SchemaFault, schemaFaults } from './json/schema-faults.ts';
export { parseJson } from './json/json-reader.ts';
export { toJson } from './json/json-value.ts';
export { parsePath, toPointer, valueAt } from './json/path.ts';
export { jsonBytes, utf8Length } from './json/size.ts';
export { isoTime, parseTimestamp } from './timestamps.ts';
