/**
 * Writes `definitions/definition.schema.json` from the zod schemas. Run: `npm run generate`.
 */
import { writeFileSync } from 'node:fs';
import { editorSchema } from '../definitions/schema/editor-schema.ts';

const file = new URL('../definitions/definition.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(editorSchema(), null, 2)}\n`);
