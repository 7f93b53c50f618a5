/**
 * Writes `docs/cli.md` from the help of the command line. Run: `npm run generate`.
 */
import { writeFileSync } from 'node:fs';
import { cliDocs } from './cli-docs.ts';

writeFileSync(new URL('../docs/cli.md', import.meta.url), cliDocs());
