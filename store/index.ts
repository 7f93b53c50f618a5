/**
 * The store over PostgreSQL: the only place with SQL.
 */
export type { AcceptedEvent, EventAcceptance, EventRefusal, EventStart } from './accept-event.ts';
export { keyTaken } from './admit-run.ts';
export type { Approval, ApprovalFilter, ApprovalStore, ApprovalSummary } from './approval-store.ts';
export type { CalendarStore, CalendarSummary, PutCalendar, StoredCalendar } from './calendar-store.ts';
export type { DecisionOutbox, NewDecision, SubmittedDecision } from './decision-outbox.ts';
export { definitionHash } from './definition-hash.ts';
export type { DefinitionStore, DefinitionSummary, StoredVersion, VersionSummary } from './definition-store.ts';
export { type DefinitionChange, DEFINITIONS_CHANNEL } from './definition-switch.ts';
export type { Delivery, DeliveryStart } from './deliveries.ts';
export type { EventStore, Settlement } from './event-store.ts';
export type { SweepOptions } from './event-sweep.ts';
export type { EventWaitStore } from './event-waits/event-wait-store.ts';
export type { ExplainedWait } from './event-waits/explain-waits.ts';
export type { WaitDelivery, WaitSettlement } from './event-waits/wait-deliveries.ts';
export type { HandlerReport, HandlerStore } from './handler-store.ts';
export { keepValue, readValue, type ValueOwner } from './keep-value.ts';
export type { Listener, ListenOptions } from './listen.ts';
export type { NewRun } from './new-run.ts';
export type { Page } from './page.ts';
export type { Published, PublishRequest } from './publish-version.ts';
export type { AttemptRecord, RecordBatch, RunStartFacts } from './records/batch.ts';
export type { RecordStore } from './records/record-store.ts';
export type { RunKey } from './run-document.ts';
export type { RunFilter, RunSummary } from './run-list.ts';
export type { IncompleteRun, ReconcileOptions } from './run-reconcile.ts';
export { type HeldKey, KEYS_CHANNEL } from './run-keys.ts';
export type { Registration, RunStore, StoredRun } from './run-store.ts';
export { openStore, type Store, type StoreOptions } from './store.ts';
export type { SubscriptionChange } from './subscriptions.ts';
export type { Unmatched } from './tables.ts';
export type { ValueKey, ValueStore, ValueSweep } from './value-store.ts';
