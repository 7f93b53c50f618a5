/**
 * The expressions of a site: the bare one, or those in the strings of its template.
 */
import { ExpressionSyntaxError, splitTemplate } from '../expressions/index.ts';
import { isList, isObject } from '../json/json-kinds.ts';
import type { Keys } from '../json/path.ts';
import type { Json } from '../types.ts';
import type { Site } from './sites.ts';

/** A string and its place. */
export interface PlacedText {
  readonly text: string;
  readonly keys: Keys;
}

/** The strings of a template that are not plainly constant. */
export function templateTexts(value: Json, keys: Keys): readonly PlacedText[] {
  if (typeof value === 'string') return value.includes('${') ? [{ text: value, keys }] : [];
  if (isList(value)) return value.flatMap((item, index) => templateTexts(item, [...keys, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => templateTexts(item, [...keys, key]));
}

/** The expressions of a site, without `${ }`; none of a string that does not parse. */
export function expressionsOf({ kind, value, keys }: Site): readonly PlacedText[] {
  if (kind === 'expression') return typeof value === 'string' ? [{ text: value, keys }] : [];
  return templateTexts(value, keys).flatMap(({ text, keys: at }) => {
    try {
      const parts = splitTemplate(text).filter((part) => part.kind === 'expression');
      return parts.map((part) => ({ text: part.text, keys: at }));
    } catch (error) {
      if (error instanceof ExpressionSyntaxError) return [];
      throw error;
    }
  });
}
