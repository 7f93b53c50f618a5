/**
 * `fermata`: what applications import.
 */
export { Approvals, type DecideOptions, type RequestedTask } from './approvals.ts';
export type { StartStatus } from './begin-run.ts';
export { Calendars } from './calendars.ts';
export type { CancelOptions } from './cancel-run.ts';
export type { ClientParts } from './client-parts.ts';
export { connect, type ConnectChoices } from './connect.ts';
export type { DecisionResult, NewDecision } from './decision.ts';
export { Definitions, type PublishedDefinition, type PublishOptions } from './definitions.ts';
export { deliverDecisions } from './deliver-decision.ts';
export type { NotMatchedDefinition } from './event-starts.ts';
export type { EventExplanation, ExplainedDefinition, ExplainEventOptions } from './explain-event.ts';
export type { EventRun, PendingRuns, PublishedEvent } from './event-answer.ts';
export { Events } from './events.ts';
export { Fermata } from './fermata.ts';
export { sweepEvents } from './finish-event.ts';
export { sweepKeys } from './keyed-runs.ts';
export type { NewEvent } from './read-event.ts';
export type { MissReason, WaitingRun } from './waiting-runs.ts';
export { readTaskId, runIdFor } from './run-id.ts';
export { DEFAULT_TENANT } from '../definitions/wire.ts';
export type { ResultOptions } from './run-result.ts';
export type { ValueOptions, ValueSettings } from './value-settings.ts';
export type { WatchOptions } from './run-view.ts';
export { type RunHandle, Runs, type StartedRun, type StartOptions } from './runs.ts';
export type { CommentOptions, DelegateOptions, TaskRequestOptions } from './task-requests.ts';
export {
  type ConnectOptions,
  type Environment,
  resolveSettings,
  type Settings,
  type TemporalAddress,
  type TemporalCredentials,
} from './settings.ts';
export { type ErrorCode, type ErrorDocument, FermataError, isFermataError } from '../definitions/index.ts';
export type { Calendar, Definition, Json, RunDocument } from '../definitions/index.ts';
export type {
  Approval,
  ApprovalFilter,
  ApprovalSummary,
  CalendarSummary,
  DefinitionSummary,
  Page,
  PutCalendar,
  RunFilter,
  RunSummary,
  StoredCalendar,
  StoredVersion,
  ValueKey,
  ValueStore,
  VersionSummary,
} from '../store/index.ts';
export type { RunView } from '../workflows/run-view.ts';
