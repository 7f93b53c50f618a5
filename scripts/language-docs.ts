/**
 * The tables of `docs/language.md` that say what stands in the `config` of each node type: fields and forms from the
 * schemas, meanings and defaults from `definitions/schema/field-notes.ts`.
 */
import { z } from 'zod';
import { FIELD_NOTES, type FieldNote } from '../definitions/schema/field-notes.ts';
import * as fields from '../definitions/schema/fields.ts';
import { node, nodes } from '../definitions/schema/nodes.ts';
import type { NodeType } from '../definitions/types.ts';

const TABLE = /(?<=<!-- fields of (\w+), by `npm run generate` -->\n)[\s\S]*?(?=<!-- end -->)/g;

/** The page with its tables made anew. */
export function languageDocs(page: string): string {
  return page.replace(TABLE, (_, type: string) => table(type));
}

/** Names of the leaves that many schemas share. */
const LEAVES = new Map<unknown, string>([
  [fields.template, 'template'],
  [fields.expression, 'expression'],
  [fields.duration, 'duration'],
  [fields.typeName, 'type name'],
  [fields.nodeId, 'id'],
  [fields.errorType, 'error type'],
  [fields.jsonSchema, 'JSON Schema'],
  [fields.templates, 'templates by name'],
  [fields.priority, '1 to 5'],
  [fields.retry, 'retry policy'],
  [nodes, 'nodes'],
]);

function table(type: string): string {
  const notes: { readonly [field: string]: FieldNote } | undefined = FIELD_NOTES[type as NodeType];
  const option = node.options.find(({ shape }) => shape.type.value === type);
  if (notes === undefined || option === undefined) throw new Error(`there is no node type ${type}`);
  const shape: Readonly<Record<string, unknown>> = bare(option.shape.config, z.ZodObject).shape;
  const rows = Object.entries(notes).map(([field, { means, default: unsaid, form }]) => {
    const schema = shape[field];
    const absent = schema instanceof z.ZodExactOptional ? (unsaid ?? '–') : 'required';
    return `| \`${field}\` | ${form ?? formOf(schema as z.ZodType)} | ${absent} | ${means} |`;
  });
  return ['| field | form | default | what |', '| --- | --- | --- | --- |', ...rows, ''].join('\n');
}

/** How a field is written. */
function formOf(schema: z.ZodType): string {
  const leaf = LEAVES.get(schema);
  if (leaf !== undefined) return leaf;
  if (schema instanceof z.ZodExactOptional) return formOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) return `list of ${formOf(schema.element as z.ZodType).replace(/(?<!`)$/, 's')}`;
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => formOf(option as z.ZodType)).join(' or ');
  if (schema instanceof z.ZodEnum) return schema.options.map(quoted).join(', ');
  if (schema instanceof z.ZodLiteral) return quoted(schema.value);
  if (schema instanceof z.ZodRecord) return `${formOf(schema.valueType as z.ZodType)} by path`;
  if (schema instanceof z.ZodObject) return `\`{ ${Object.keys(schema.shape).join(', ')} }\``;
  if (schema instanceof z.ZodBoolean) return '`true`, `false`';
  if (schema instanceof z.ZodNumber) return 'whole number';
  if (schema instanceof z.ZodString) return 'text';
  throw new Error(`this form has no words yet: ${schema.type}`);
}

function quoted(value: unknown): string {
  return `\`"${String(value)}"\``;
}

function bare<T extends z.ZodType>(schema: z.ZodType, form: new (...args: never[]) => T): T {
  const inner = schema instanceof z.ZodExactOptional ? schema.unwrap() : schema;
  if (inner instanceof form) return inner;
  throw new Error(`a config is an object, not ${schema.type}`);
}
