/**
 * From the text of a definition, JSON or YAML, to a checked definition with the place of every fault.
 */
import { type CheckOptions, type CheckResult, checkPlaced, rootIssue } from './check-definition.ts';
import { JsonSyntaxError, readJson } from './json/json-reader.ts';
import { LIMITS } from './limits.ts';
import { toPointer } from './json/path.ts';
import { offsetOf, type PlacedValue, TextLines } from './json/positions.ts';
import { utf8Length } from './json/size.ts';
import { readYaml } from './json/yaml-reader.ts';

/**
 * Parses and checks the text of a definition. It is JSON where the file name ends in `.json`, or where there is no
 * telling name and the text begins with a brace or bracket; otherwise YAML.
 *
 * @example
 * const { definition, issues } = parseDefinition(text, { file: 'lead.yaml' });
 */
export function parseDefinition(text: string, options: CheckOptions = {}): CheckResult {
  const bytes = utf8Length(text);
  if (bytes > LIMITS.definitionBytes) {
    const message = `the definition has ${bytes} bytes; the limit is ${LIMITS.definitionBytes}`;
    return { definition: null, issues: [rootIssue('definition.too_large', message, options)] };
  }
  const lines = new TextLines(text);
  let placed: PlacedValue;
  try {
    placed = read(text, options.file);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const at = { ...options, path: toPointer(error.keys), position: lines.at(error.offset) };
    return { definition: null, issues: [rootIssue('definition.syntax', error.message, at)] };
  }
  return checkPlaced(placed.value, options, (keys) => lines.at(offsetOf(placed, keys)));
}

function read(text: string, file: string | undefined): PlacedValue {
  return isJson(text, file) ? readJson(text, LIMITS.definitionDepth) : readYaml(text, LIMITS.definitionDepth);
}

function isJson(text: string, file: string | undefined): boolean {
  if (file !== undefined && /\.ya?ml$/i.test(file)) return false;
  return (file !== undefined && /\.json$/i.test(file)) || /^\uFEFF?\s*[{[]/.test(text);
}
