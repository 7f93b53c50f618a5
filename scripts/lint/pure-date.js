/**
 * Lint rule `fermata/pure-date`: in pure code `Date` only converts, it never tells the time.
 *
 * Allowed: `new Date(milliseconds)`, `Date.UTC(…)`, `instanceof Date` and types. Refused: `new Date()` and `Date.now()`
 * (the clock), `new Date(2027, 0, 1)` (the host's zone), `Date.parse` (the host's zone where the text has no offset), and
 * `Date` handed on as a value, which would hide any of them.
 */

import { defineRule } from '@oxlint/plugins';

/** @typedef {import('@oxlint/plugins').ESTree.Node} Node */

const MESSAGE = "Date tells the host's clock or zone here; pure code may use new Date(milliseconds) and Date.UTC only";

/**
 * @param {Node} node  An identifier `Date`.
 * @param {Node} parent
 */
function isAllowed(node, parent) {
  switch (parent.type) {
    case 'NewExpression':
      return parent.callee === node && parent.arguments.length === 1;
    case 'BinaryExpression':
      return parent.operator === 'instanceof' && parent.right === node;
    case 'MemberExpression':
      if (parent.object !== node) return !parent.computed;
      return !parent.computed && parent.property.name === 'UTC';
    case 'Property':
      return parent.key === node && !parent.shorthand && !parent.computed;
    default:
      return parent.type.startsWith('TS');
  }
}

export const pureDate = defineRule({
  meta: { type: 'problem', docs: { description: 'Date converts, it never tells the time' } },
  create(context) {
    return {
      Identifier(node) {
        if (node.name === 'Date' && !isAllowed(node, node.parent)) context.report({ node, message: MESSAGE });
      },
    };
  },
});
