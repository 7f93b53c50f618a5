/**
 * Prints the CPU time of one evaluation of typical expressions and templates, in microseconds.
 *
 * Run: `node --import tsx --conditions=fermata-source bench/expressions.ts`
 */
import { compileExpression, compileTemplate, Meter, type Names } from '../definitions/expressions/index.ts';
import type { Json } from '../definitions/types.ts';

const WARM_UP = 20_000;
const TURNS = 50_000;
const ROUNDS = 5;

const names: Names = {
  event: {
    type: 'lead.created',
    data: { id: 'L1', email: 'ann@example.org', name: 'Ann', company: { size: 120 }, tags: ['a', 'b', 'c'] },
  },
  input: {},
  vars: { n: 3 },
  nodes: { assign: { output: { ownerId: 'u1' } } },
  run: {},
  now: 0,
};
const meter = new Meter();

/** The best round counts: the others were disturbed. */
function microseconds(run: () => unknown): number {
  for (let turn = 0; turn < WARM_UP; turn += 1) run();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    for (let turn = 0; turn < TURNS; turn += 1) run();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / TURNS);
  }
  return best;
}

function report(title: string, run: () => unknown): void {
  console.log(`${microseconds(run).toFixed(3).padStart(8)} µs  ${title}`);
}

for (const text of [
  'event.data.id',
  'event.data.company.size >= 50',
  'event.data.company.size >= 50 && event.type == "lead.created"',
  'event.data.tags.exists(t, t == "c")',
  'event.data.tags.map(t, t + "!")',
  'get(event, "data.owner.email", "none") == "none"',
  'event.data.email.matches("^[^@]+@example[.]org$")',
]) {
  const compiled = compileExpression(text);
  report(text, () => compiled.evaluate(names, meter));
}

const templates: Readonly<Record<string, Json>> = {
  'constant template': { team: 'enterprise', tags: ['x'] },
  'template with one path': { leadId: '${event.data.id}', team: 'enterprise' },
  'template with two paths and a text': {
    to: '${event.data.email}',
    owner: '${nodes.assign.output.ownerId}',
    text: 'Hi ${event.data.name}!',
  },
};
for (const [title, template] of Object.entries(templates)) {
  const compiled = compileTemplate(template);
  report(title, () => compiled.evaluate(names, meter));
}

report('compileExpression, already compiled', () => compileExpression('event.data.company.size >= 50'));
let fresh = 0;
const start = process.cpuUsage();
for (; fresh < 300; fresh += 1) compileExpression(`event.data.company.size >= ${fresh}`);
console.log(`${(process.cpuUsage(start).user / fresh).toFixed(0).padStart(8)} µs  compileExpression, new text`);
