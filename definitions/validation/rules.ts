/**
 * All rules of the validation, in the order in which faults of one place are told. A new rule is one file and one line.
 */
import { checkCommands } from './commands.ts';
import type { Rule } from './context.ts';
import { checkCycles } from './cycles.ts';
import { checkExpressions } from './expressions.ts';
import { checkIdentifiers } from './identifiers.ts';
import { checkIdleFields } from './idle-fields.ts';
import { checkReachable } from './reachable.ts';
import { checkSchemas } from './schemas.ts';
import { checkSecrets } from './secrets.ts';
import { checkSelfCalls } from './self-call.ts';
import { checkTargets } from './targets.ts';
import { checkValues } from './values.ts';
import { checkVariables } from './variables.ts';

export const RULES: readonly Rule[] = [
  checkIdentifiers,
  checkTargets,
  checkIdleFields,
  checkReachable,
  checkCycles,
  checkSelfCalls,
  checkValues,
  checkCommands,
  checkVariables,
  checkExpressions,
  checkSchemas,
  checkSecrets,
];
