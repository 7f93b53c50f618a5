/**
 * One event against many subscriptions: what the look-up and the whole match cost, and what the index weighs.
 *
 *   node --conditions=fermata-source --import tsx bench/matching.ts [--sizes 1,1000,100000] [--events 20000] [--json]
 *
 * Scenarios (`bench/matching-scenarios.ts`): an event has 12 fields. Every size is measured in a process of its own, so
 * that heap and warm code of one do not help or hurt another.
 */
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { measure, type Measurement } from './matching-measure.ts';
import { SCENARIOS, type ScenarioName } from './matching-scenarios.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1,1000,100000,1000000' },
    events: { type: 'string', default: '20000' },
    scenarios: { type: 'string', default: Object.keys(SCENARIOS).join() },
    json: { type: 'boolean', default: false },
    /** Of a child process: what to measure, as JSON. */
    measure: { type: 'string' },
  },
});

interface Task {
  readonly scenario: ScenarioName;
  readonly size: number;
  readonly events: number;
}

if (options.measure === undefined) await measureAll();
else process.send?.(measure(JSON.parse(options.measure) as Task));

async function measureAll(): Promise<void> {
  const measured: Measurement[] = [];
  for (const scenario of options.scenarios.split(',') as ScenarioName[]) {
    for (const size of options.sizes.split(',').map(Number)) {
      measured.push(await inOwnProcess({ scenario, size, events: Number(options.events) }));
    }
  }
  console.log(options.json ? JSON.stringify(measured) : asTable(measured));
}

function inOwnProcess(task: Task): Promise<Measurement> {
  const execArgv = [...process.execArgv, '--expose-gc', '--max-old-space-size=8192'];
  const child = fork(import.meta.filename, ['--measure', JSON.stringify(task)], { execArgv });
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Measurement));
    child.once('exit', (code) => reject(new Error(`Measuring ${JSON.stringify(task)} ended with exit code ${code}`)));
  });
}

function asTable(measured: readonly Measurement[]): string {
  const head = [
    'scenario',
    'subscriptions',
    'matches',
    'candidates',
    'events/s',
    'look-up p50 µs',
    'p99',
    'match p50 µs',
    'p99',
    'bytes each',
    'add µs',
    'remove µs',
  ];
  const rows = measured.map((row) => [
    row.scenario,
    String(row.size),
    row.matches.toFixed(1),
    row.candidates.toFixed(1),
    row.eventsPerSecond.toFixed(0),
    row.lookUpP50Us.toFixed(1),
    row.lookUpP99Us.toFixed(1),
    row.matchP50Us.toFixed(1),
    row.matchP99Us.toFixed(1),
    row.bytesEach?.toFixed(0) ?? '–',
    row.addUs.toFixed(1),
    row.removeUs.toFixed(1),
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
