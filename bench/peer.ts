/** A worker process, as the bench sees it. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, PeerSettings, Request } from './peer-settings.ts';

export interface Peer {
  readonly settings: PeerSettings;
  /** CPU time of the process so far: user and system, all its threads, in ms. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a worker process; resolves when it polls. `profileDir`: where it leaves CPU profiles of its threads. */
export async function startPeer(settings: PeerSettings, profileDir?: string): Promise<Peer> {
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const child = fork(fileURLToPath(new URL('peer-process.ts', import.meta.url)), [JSON.stringify(settings)], {
    execArgv: [...process.execArgv, ...profiling],
  });
  await answerOf(child, 'ready');
  const ask = (request: Request): void => void child.send(request);
  return {
    settings,
    async cpuMs() {
      ask('cpu');
      return (await answerOf(child, 'cpu')).ms;
    },
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      ask('stop');
      await gone;
    },
  };
}

function answerOf<Kind extends Answer['kind']>(
  child: ChildProcess,
  kind: Kind,
): Promise<Extract<Answer, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`A worker process ended with exit code ${code}`));
    const heard = (message: unknown): void => {
      const answer = message as Answer;
      if (answer.kind !== kind) return;
      child.off('message', heard);
      child.off('exit', ended);
      resolve(answer as Extract<Answer, { kind: Kind }>);
    };
    child.on('message', heard);
    child.once('exit', ended);
  });
}
