/** Random expressions that mostly parse: operators, calls, loops and reads over all kinds of values. */
import fc from 'fast-check';

const LEAVES = [
  '1',
  '0',
  '-1',
  '2.5',
  '1u',
  '"a"',
  '""',
  '"😀b"',
  'true',
  'false',
  'null',
  'b"x"',
  '[]',
  '{}',
  'event',
  'event.a',
  'input',
  'input.list',
  'input.text',
  'input.number',
  'input.flag',
  'input.nothing',
  'input.map',
  'input.map.k',
  'vars',
  'vars.x',
  'nodes.a.output',
  'run.id',
  'now',
  'x',
  'y',
  'int',
  'string',
  'duration("1h")',
  'timestamp("2027-01-01T00:00:00Z")',
  '9007199254740993',
  '1e300',
  '"__proto__"',
  '"constructor"',
  '"%s"',
  '"."',
];
const BINARY = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', 'in'];
const FUNCTIONS = [
  'size',
  'int',
  'uint',
  'double',
  'string',
  'bool',
  'bytes',
  'type',
  'dyn',
  'duration',
  'timestamp',
  'strings.quote',
];
const METHODS = [
  'size()',
  'upperAscii()',
  'lowerAscii()',
  'trim()',
  'split("")',
  'join()',
  'getFullYear()',
  'getHours("+01:00")',
  'getSeconds()',
];
const METHODS_WITH_ONE = [
  'contains',
  'startsWith',
  'endsWith',
  'indexOf',
  'lastIndexOf',
  'split',
  'join',
  'substring',
  'charAt',
  'matches',
  'format',
];
const MACROS = ['all', 'exists', 'exists_one', 'map', 'filter'];
const FIELDS = ['a', 'b', 'k', 'v', 'constructor', '__proto__', 'length', 'size'];

export const grammar: fc.Arbitrary<string> = fc.letrec<{ expr: string }>((tie) => {
  const e = tie('expr');
  return {
    expr: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom(...LEAVES),
      fc.tuple(e, fc.constantFrom(...BINARY), e).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(fc.constantFrom('!', '-'), e).map(([sign, operand]) => `${sign}(${operand})`),
      fc.tuple(e, e, e).map(([condition, yes, no]) => `(${condition} ? ${yes} : ${no})`),
      fc.tuple(e, fc.constantFrom(...FIELDS)).map(([holder, field]) => `(${holder}).${field}`),
      fc.tuple(e, fc.constantFrom(...FIELDS)).map(([holder, field]) => `has((${holder}).${field})`),
      fc.tuple(e, e).map(([holder, key]) => `(${holder})[${key}]`),
      fc.tuple(fc.constantFrom(...FUNCTIONS), e).map(([name, argument]) => `${name}(${argument})`),
      fc.tuple(e, fc.constantFrom(...METHODS)).map(([target, call]) => `(${target}).${call}`),
      fc
        .tuple(e, fc.constantFrom(...METHODS_WITH_ONE), e)
        .map(([target, name, argument]) => `(${target}).${name}(${argument})`),
      fc.tuple(e, e, e).map(([target, from, to]) => `(${target}).replace(${from}, ${to})`),
      fc.tuple(e, e, e).map(([target, from, to]) => `(${target}).substring(${from}, ${to})`),
      fc
        .tuple(e, fc.constantFrom(...MACROS), fc.constantFrom('x', 'y', 'input'), e)
        .map(([target, name, variable, body]) => `(${target}).${name}(${variable}, ${body})`),
      fc.tuple(e, e, e).map(([value, path, fallback]) => `get(${value}, ${path}, ${fallback})`),
      fc.array(e, { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
      fc
        .array(fc.tuple(e, e), { maxLength: 3 })
        .map((entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(', ')}}`),
    ),
  };
}).expr;
