/** Every `patched(` id of the workflow code stands in the registry, and every entry of the registry is used. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PATCHES } from '../../workflows/patches.ts';

const CALL = /\b(?:patched|deprecatePatch)\(\s*([^)]*)\)/g;
const LITERAL = /^(['"])([^'"]+)\1$/;

/** Ids that a text asks for. @throws when one is not written out, since then nobody finds it */
function patchIds(code: string): string[] {
  const withoutComments = code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  return [...withoutComments.matchAll(CALL)].map(([, argument = '']) => {
    const id = LITERAL.exec(argument.trim())?.[2];
    if (id === undefined) throw new Error(`write the id of a patch out: ${argument}`);
    return id;
  });
}

test('every patch id in the workflow code is in the registry, and none is left over there', () => {
  const folder = new URL('../../workflows/', import.meta.url);
  const files = readdirSync(folder, { recursive: true }).map(String);
  const used = files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => patchIds(readFileSync(new URL(name, folder), 'utf8')));
  expect(new Set(used)).toEqual(new Set(PATCHES.map(({ id }) => id)));
});

test('an id is read from the code, comments aside, and must be written out', () => {
  expect(
    patchIds("if (patched('undo-order')) {} // patched('no')\n/* patched('no') */ deprecatePatch(\"old\")"),
  ).toEqual(['undo-order', 'old']);
  expect(() => patchIds('patched(ID)')).toThrow('write the id');
});
