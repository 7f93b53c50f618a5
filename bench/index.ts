/**
 * `npm run bench`: Fermata against hand-written Temporal, on servers of its own.
 *
 *   npm run bench -- [--quick] [--only sequence,delay] [--json] [--rounds 3] [--runs 200] [--in-flight 50]
 *                    [--singles 30] [--profile DIR]
 *
 * What is measured and how to read it: `docs/performance.md`. Exit code 1 when a target is missed.
 */
import { cpus, loadavg, release } from 'node:os';
import { parseArgs } from 'node:util';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { type Finding, isMet } from './finding.ts';
import { type Ground, type Options, prepareGround } from './ground.ts';
import { measureApproval } from './measure-approval.ts';
import { measureDelay } from './measure-delay.ts';
import { measureEvent } from './measure-event.ts';
import { measureFanOut } from './measure-fan-out.ts';
import { measureMatching } from './measure-matching.ts';
import { measureReplay } from './measure-replay.ts';
import { measureSequence } from './measure-sequence.ts';
import { measureShipped } from './measure-shipped.ts';
import { asTable } from './table.ts';

const MEASUREMENTS: { readonly [name: string]: (ground: Ground) => Promise<Finding[]> } = {
  sequence: measureSequence,
  'fan-out': measureFanOut,
  approval: measureApproval,
  delay: measureDelay,
  shipped: measureShipped,
  replay: measureReplay,
  event: measureEvent,
  matching: measureMatching,
};

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(MEASUREMENTS).join() },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    runs: { type: 'string' },
    'in-flight': { type: 'string' },
    singles: { type: 'string' },
    profile: { type: 'string' },
  },
});

const FULL = { rounds: 3, runs: 200, inFlight: 50, singles: 30 };
const QUICK = { rounds: 2, runs: 40, inFlight: 20, singles: 10 };

function optionsOf(): Options {
  const base = values.quick ? QUICK : FULL;
  const given = (text: string | undefined, fallback: number): number => (text === undefined ? fallback : Number(text));
  return {
    quick: values.quick,
    rounds: given(values.rounds, base.rounds),
    runs: given(values.runs, base.runs),
    inFlight: given(values['in-flight'], base.inFlight),
    singles: given(values.singles, base.singles),
    ...(values.profile === undefined ? {} : { profileDir: values.profile }),
    log: (line) => console.error(line),
  };
}

async function main(): Promise<void> {
  // No signals: Ctrl-C ends the bench at once, and its servers and workers with it.
  Runtime.install({ logger: new DefaultLogger('WARN'), shutdownSignals: [] });
  const options = optionsOf();
  const ground = await prepareGround(options);
  const findings: Finding[] = [];
  try {
    for (const name of values.only.split(',')) {
      const measure = MEASUREMENTS[name];
      if (measure === undefined) throw new Error(`--only: ${name} is none of ${Object.keys(MEASUREMENTS).join(', ')}`);
      options.log(`Measuring: ${name} (load average ${loadavg()[0]?.toFixed(1)})`);
      findings.push(...(await measure(ground)));
    }
  } finally {
    await ground.stop();
  }
  report(options, findings);
  if (findings.some((finding) => isMet(finding) === false)) process.exitCode = 1;
}

function report({ rounds, runs, inFlight, singles }: Options, findings: readonly Finding[]): void {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, Linux ${release()}, Node ${process.versions.node}`;
  const settings = { machine, at: new Date().toISOString(), rounds, runs, inFlight, singles };
  if (values.json) {
    console.log(JSON.stringify({ ...settings, findings: findings.map((each) => ({ ...each, met: isMet(each) })) }));
    return;
  }
  console.log(`${machine}; ${settings.at.slice(0, 10)}; ${rounds} rounds of ${runs} runs, ${inFlight} in flight\n`);
  console.log(asTable(findings));
}

await main();
