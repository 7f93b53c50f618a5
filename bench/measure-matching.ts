/** One event against many subscriptions: `bench/matching.ts`, which is a bench of its own. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LIMIT } from './comparison.ts';
import type { Finding } from './finding.ts';
import type { Ground } from './ground.ts';
import type { Measurement } from './matching-measure.ts';

export async function measureMatching({ options }: Ground): Promise<Finding[]> {
  const sizes = options.quick ? '1000,100000' : '1,1000,100000,1000000';
  const script = fileURLToPath(new URL('matching.ts', import.meta.url));
  const args = [...process.execArgv, script, '--json', '--scenarios', 'three', '--sizes', sizes];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return (JSON.parse(stdout) as Measurement[]).flatMap(asFindings);
}

function asFindings(measured: Measurement): Finding[] {
  const { size, matches, eventsPerSecond, lookUpP50Us, matchP50Us, bytesEach } = measured;
  const shared = {
    workload: `matching, ${size.toLocaleString('en-US')} definitions, ${matches.toFixed(0)} match`,
    base: null,
    ratio: null,
  };
  return [
    { ...shared, measure: 'events/s', value: eventsPerSecond, target: null },
    { ...shared, measure: 'look-up p50 µs', value: lookUpP50Us, target: LIMIT.valueAtMost(20) },
    { ...shared, measure: 'match p50 µs', value: matchP50Us, target: LIMIT.valueAtMost(1000) },
    ...(bytesEach === null
      ? []
      : [{ ...shared, measure: 'bytes a definition', value: bytesEach, target: LIMIT.valueAtMost(2000) }]),
  ];
}
