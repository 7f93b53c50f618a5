/**
 * Definitions from files, with the place of every fault.
 */
import {
  type CheckOptions,
  type CheckResult,
  type Definition,
  FermataError,
  hasErrors,
  type Issue,
  parseDefinition,
} from '../../definitions/index.ts';
import type { Io } from '../io.ts';
import { countText } from '../output/issues-text.ts';
import { readText } from './read-file.ts';

export interface ReadDefinition {
  readonly definition: Definition;
  readonly warnings: readonly Issue[];
}

/** @throws FermataError `usage.invalid` when the file cannot be read as text */
export async function checkFile(io: Io, file: string, options: CheckOptions = {}): Promise<CheckResult> {
  if (/\.[cm]?[jt]sx?$/.test(file)) {
    throw new FermataError('usage.invalid', `${file} is code; definitions are JSON or YAML files`, { file });
  }
  const { name, text } = await readText(io, file);
  return parseDefinition(text, { ...options, file: name });
}

/**
 * A definition that this release can run.
 * @throws FermataError `definition.invalid`, `definition.unsupported`, with the issues in its details; `usage.invalid`
 */
export async function readDefinition(io: Io, file: string, options: CheckOptions = {}): Promise<ReadDefinition> {
  const { definition, issues } = await checkFile(io, file, { ...options, runnable: true });
  if (definition !== null && !hasErrors(issues)) return { definition, warnings: issues };
  const errors = issues.filter(({ severity }) => severity === 'error');
  const details = { file, issues: errors.map((issue) => ({ ...issue })) };
  if (errors.every(({ code }) => code === 'definition.unsupported')) {
    throw new FermataError('definition.unsupported', `${file} uses what this release does not run yet`, details);
  }
  throw new FermataError('definition.invalid', `${file} is not valid: ${countText(errors)}`, details);
}
