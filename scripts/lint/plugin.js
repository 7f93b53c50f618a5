/** Our own lint rules, as an oxlint plugin named `fermata` (see `.oxlintrc.json`). */
import { importWalls } from './import-walls.js';
import { pureDate } from './pure-date.js';

// oxlint takes the default export of a plugin.
export default {
  meta: { name: 'fermata' },
  rules: { 'import-walls': importWalls, 'pure-date': pureDate },
};
