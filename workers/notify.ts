/**
 * The hook by which an application tells people of approvals: by mail, chat, or a task list of its own.
 *
 * Called for approvals with `reminders` or `escalate`: when the task is there, at each reminder and escalation, when it
 * is delegated, and when it is withdrawn. A call that throws is made again, ten times at most; `key` stays the same, so
 * that nobody need be told twice.
 */
import type { NotifyRequest } from '../workflows/temporal/wire.ts';

export type Notification = NotifyRequest;

export type NotifyHook = (notification: Notification) => void | Promise<void>;
