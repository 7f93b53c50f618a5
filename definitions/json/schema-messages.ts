/**
 * What a value does that a JSON Schema does not allow, in words of ours.
 *
 * The library says it in its own English; what it knows (limits, counts, alternatives) is read from there.
 */

type Words = string | ((captured: readonly string[]) => string);

const TYPES: { readonly [type: string]: string } = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const typeWords = (names: string): string =>
  names
    .split('", "')
    .map((name) => TYPES[name] ?? name)
    .join(' or ');

const some = (count: string | undefined, one: string): string => `${count} ${one}${count === '1' ? '' : 's'}`;

const NEEDED: readonly (readonly [RegExp, Words])[] = [
  [
    /^Instance has "(.*)" but does not have "(.*)"\.$/s,
    ([one, other]) => `the field "${other}" is missing, which "${one}" needs`,
  ],
];

/** Keyword → how the library says it, and how we do; the first that matches. */
const MESSAGES: { readonly [keyword: string]: readonly (readonly [RegExp, Words])[] } = {
  type: [
    [/^Instance type "number" is invalid\. Expected "integer"\.$/, 'must be a whole number'],
    [
      /^Instance type "(\w+)" is invalid\. Expected "(.*)"\.$/s,
      ([is, want]) => `must be ${typeWords(want ?? '')}, not ${typeWords(is ?? '')}`,
    ],
  ],
  required: [[/required property "(.*)"\.$/s, ([name]) => `the field "${name}" is missing`]],
  const: [[/does not match (.*)\.$/s, ([value]) => `must be ${value}`]],
  enum: [[/any of \[(.*)\]\.$/s, ([values]) => `must be one of ${values}`]],
  not: [[/^/, 'is excluded by the schema']],
  anyOf: [[/^/, 'fits none of the alternatives']],
  oneOf: [
    [/\(0 matches\)/, 'fits none of the alternatives'],
    [/\((\d+) matches\)/, ([count]) => `must fit exactly one of the alternatives, and fits ${count}`],
  ],
  false: [[/^/, 'is not allowed here']],
  propertyNames: [[/^Property name "(.*)" does/s, ([name]) => `the field name "${name}" is not allowed`]],
  dependentRequired: NEEDED,
  dependencies: NEEDED,
  minProperties: [[/at least (\d+)/, ([count]) => `must have at least ${some(count, 'field')}`]],
  maxProperties: [[/at least (\d+)/, ([count]) => `must have at most ${some(count, 'field')}`]],
  minItems: [[/< (\d+)\)/, ([count]) => `must have at least ${some(count, 'item')}`]],
  maxItems: [[/> (\d+)\)/, ([count]) => `must have at most ${some(count, 'item')}`]],
  uniqueItems: [[/indexes (\d+) and (\d+)/, ([one, other]) => `the items ${one} and ${other} are equal`]],
  contains: [[/^/, 'no item is as the schema asks for']],
  minContains: [
    [
      /(?:at least |minContains \()(\d+)/,
      ([count]) => `must have at least ${some(count, 'item')} as the schema asks for`,
    ],
  ],
  maxContains: [[/at most (\d+)/, ([count]) => `must have at most ${some(count, 'item')} as the schema asks for`]],
  minLength: [[/< (\d+)\)/, ([count]) => `must have at least ${some(count, 'character')}`]],
  maxLength: [[/> (\d+)\)/, ([count]) => `must have at most ${some(count, 'character')}`]],
  minimum: [
    [/less than or equal to (.*)\.$/, ([limit]) => `must be greater than ${limit}`],
    [/less than (.*)\.$/, ([limit]) => `must be at least ${limit}`],
  ],
  maximum: [
    [/greater than or equal to (.*)\.$/, ([limit]) => `must be less than ${limit}`],
    [/greater than (.*)\.$/, ([limit]) => `must be at most ${limit}`],
  ],
  exclusiveMinimum: [[/less than (.*)\.$/, ([limit]) => `must be greater than ${limit}`]],
  exclusiveMaximum: [[/equal to (.*)\.$/, ([limit]) => `must be less than ${limit}`]],
  multipleOf: [[/multiple of (.*)\.$/, ([step]) => `must be a multiple of ${step}`]],
  format: [
    [/^String does not match format "pattern:(.*)"\.$/s, ([pattern]) => `does not match the pattern "${pattern}"`],
    [/^String does not match format "(.*)"\.$/s, ([format]) => `is no text of the format "${format}"`],
  ],
};

/** The words for one error of the library; its own where it has one that is not in the table. */
export function schemaMessage(keyword: string, error: string): string {
  const known = Object.hasOwn(MESSAGES, keyword) ? MESSAGES[keyword] : undefined;
  for (const [pattern, words] of known ?? []) {
    const match = pattern.exec(error);
    if (match !== null) return typeof words === 'string' ? words : words(match.slice(1));
  }
  return error;
}
