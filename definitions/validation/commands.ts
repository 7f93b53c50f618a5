/**
 * Rules about commands against the handlers that are known.
 */
import { type CommandName, resolveHandler, versionsOf } from '../handler-catalog.ts';
import type { ActionNode } from '../types.ts';
import type { Rule, ValidationContext } from './context.ts';
import { suggestion } from './nearest.ts';
import type { NodeOutline } from './outline.ts';

export const checkCommands: Rule = (context) => {
  for (const outlined of context.outline.nodes) {
    if (outlined.node?.type === 'action') checkAction(outlined.node, outlined, context);
  }
};

function checkAction({ config }: ActionNode, { keys }: NodeOutline, context: ValidationContext): void {
  const { handlers, issues } = context;
  if (handlers === null) return;
  const configKeys = [...keys, 'config'];
  const known = checkKnown(config, [...configKeys, 'command'], context);
  if (typeof config.undo === 'object') {
    checkKnown(config.undo, [...configKeys, 'undo', 'command'], context);
  }
  if (!known || config.undo !== true) return;
  if (resolveHandler(handlers, config).entry?.hasRollback !== false) return;
  const message = `the handler of "${config.command}" has no rollback; give "undo" a command of its own`;
  issues.add('definition.no_rollback', [...configKeys, 'undo'], message);
}

function checkKnown({ command, version }: CommandName, keys: NodeOutline['keys'], context: ValidationContext): boolean {
  const { handlers, handlersComplete, issues } = context;
  if (handlers === null) return false;
  const versions = versionsOf(handlers, command);
  if (version === undefined ? versions.length > 0 : versions.includes(version)) return true;
  const what =
    versions.length === 0
      ? `no worker is known that has a handler of "${command}"${suggestion(command, Object.keys(handlers))}`
      : `no worker is known that has version ${version} of "${command}"; there are ${versions.join(', ')}`;
  const severity = handlersComplete ? 'error' : 'warning';
  issues.addAs({ severity, code: 'definition.unknown_command' }, keys, what);
  return false;
}
