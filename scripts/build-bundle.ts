/**
 * Last step of `npm run build`: the workflow bundle, once, into the package, so that no worker start builds it.
 * It runs the built code, whose bundle has the paths that an installed package has.
 */
import { fileURLToPath } from 'node:url';
import type * as Bundle from '../workers/bundle.ts';

const dist = new URL('../dist/', import.meta.url);
const { writeBundle } = (await import(new URL('workers/bundle.js', dist).href)) as typeof Bundle;
await writeBundle(fileURLToPath(new URL('workflow-bundle.js', dist)));
