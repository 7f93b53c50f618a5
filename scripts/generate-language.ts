/**
 * Writes the tables of `docs/language.md` from the schemas. Run: `npm run generate`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { languageDocs } from './language-docs.ts';

const file = new URL('../docs/language.md', import.meta.url);
writeFileSync(file, languageDocs(readFileSync(file, 'utf8')));
