/** Command handlers: declaring them, registering them, and the activity that runs them. */
export {
  type AdaptedHandler,
  type AdaptOptions,
  type ArticleCommand,
  type ArticleHandler,
  type ArticleResult,
  adaptHandler,
} from './adapt-handler.ts';
export type { AttemptListener, AttemptReport } from './attempt-report.ts';
export { type CommandActivity, type CommandActivityOptions, createCommandActivity } from './command-activity.ts';
export type { CommandContext, CommandLog, CommandRun } from './command-context.ts';
export { CommandError, type CommandErrorOptions, isCommandError } from './command-error.ts';
export { type Command, type CommandDeclaration, defineCommand } from './define-command.ts';
export { createManifest } from './manifest.ts';
export { resolveTime } from './resolve-time.ts';
export { createRegistry, type Registrable, type Registry } from './registry.ts';
export { defaultSecrets, environmentSecrets, fileSecrets, type SecretSource } from './secrets/secret-source.ts';
