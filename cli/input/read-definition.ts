/**
 * Definitions from files, with the place of every fault.
 */
import {
  type CheckOptions,
  type CheckResult,
  type Definition,
  FermataError,
  type Issue,
  parseDefinition,
} from '../../definitions/index.ts';
import type { Io } from '../io.ts';
import { countText } from '../output/issues-text.ts';
import { type NamedText, readText } from './read-file.ts';

export interface ReadDefinition extends NamedText {
  readonly definition: Definition;
  readonly warnings: readonly Issue[];
}

/** @throws FermataError `usage.invalid` when the file cannot be read as text */
export async function checkFile(io: Io, file: string, options: CheckOptions = {}): Promise<CheckResult> {
  const { name, text } = await readSource(io, file);
  return parseDefinition(text, { ...options, file: name });
}

/**
 * A definition that this release can run, and its text.
 * @throws FermataError `definition.invalid`, `definition.unsupported`, with the issues in its details; `usage.invalid`
 */
export async function readDefinition(io: Io, file: string, options: CheckOptions = {}): Promise<ReadDefinition> {
  const { name, text } = await readSource(io, file);
  const { definition, issues } = parseDefinition(text, { ...options, file: name, runnable: true });
  if (definition === null) throw definitionRefusal(name, issues);
  return { definition, name, text, warnings: issues };
}

async function readSource(io: Io, file: string): Promise<NamedText> {
  if (!/\.[cm]?[jt]sx?$/.test(file)) return await readText(io, file);
  throw new FermataError('usage.invalid', `${file} is code; definitions are JSON or YAML files`, { file });
}

/** The refusal of a file, in short: its issues are in the details, and are printed one by one. */
export function definitionRefusal(file: string, issues: readonly Issue[]): FermataError {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const details = { file, issues: errors.map((issue) => ({ ...issue, file: issue.file ?? file })) };
  const isInvalid = errors.some(({ code }) => code !== 'definition.unsupported');
  return isInvalid
    ? new FermataError('definition.invalid', `${file} is not valid: ${countText(errors)}`, details)
    : new FermataError('definition.unsupported', `${file} uses what this release does not run yet`, details);
}
