/**
 * All rules of the validation, in the order in which faults of one place are told. A new rule is one file and one line.
 */
import { checkApprovals } from './approvals.ts';
import { checkChildren } from './children.ts';
import { checkCommands } from './commands.ts';
import type { Rule } from './context.ts';
import { checkCorrelations } from './correlations.ts';
import { checkCycles } from './cycles.ts';
import { checkDeadWaits } from './dead-waits.ts';
import { checkDelays } from './delays.ts';
import { checkAllDurations } from './durations.ts';
import { checkEventTypes } from './event-types.ts';
import { checkExpressions } from './expressions.ts';
import { checkIdentifiers } from './identifiers.ts';
import { checkIdleFields } from './idle-fields.ts';
import { checkJoins } from './joins.ts';
import { checkOutcomes } from './outcomes.ts';
import { checkPayloads } from './payloads.ts';
import { checkReachable } from './reachable.ts';
import { checkRedact } from './redact.ts';
import { checkReminders } from './reminders.ts';
import { checkSchemas } from './schemas.ts';
import { checkSecrets } from './secrets.ts';
import { checkSelfCalls } from './self-call.ts';
import { checkTargets } from './targets.ts';
import { checkTriggers } from './trigger-values.ts';
import { checkVariables } from './variables.ts';

export const RULES: readonly Rule[] = [
  checkIdentifiers,
  checkTargets,
  checkIdleFields,
  checkReachable,
  checkCycles,
  checkSelfCalls,
  checkChildren,
  checkAllDurations,
  checkRedact,
  checkTriggers,
  checkDelays,
  checkOutcomes,
  checkApprovals,
  checkReminders,
  checkJoins,
  checkCorrelations,
  checkDeadWaits,
  checkCommands,
  checkPayloads,
  checkVariables,
  checkExpressions,
  checkEventTypes,
  checkSchemas,
  checkSecrets,
];
