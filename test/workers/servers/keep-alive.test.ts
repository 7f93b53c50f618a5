import { expect, test } from 'vitest';
import { keepAlive, type Mortal } from '../../../workers/servers/keep-alive.ts';

/** A server without a process, which dies when it is told to. */
class Fake implements Mortal {
  readonly exit: Promise<void>;
  stopped = false;
  readonly pid: number;
  #end: () => void = () => undefined;

  constructor(pid: number) {
    this.pid = pid;
    this.exit = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  die(): void {
    this.#end();
  }

  logTail(): string {
    return 'out of memory';
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.#end();
  }
}

interface Stage {
  readonly started: Fake[];
  readonly log: string[];
  readonly givenUp: string[];
  atMs: number;
  fails: boolean;
}

async function stage() {
  const world: Stage = { started: [], log: [], givenUp: [], atMs: 0, fails: false };
  const hears: (() => void)[] = [];
  const kept = await keepAlive<Fake>({
    name: 'the server',
    start: async () => {
      if (world.fails) throw new Error('no port');
      const server = new Fake(world.started.length + 1);
      world.started.push(server);
      return server;
    },
    log: (line) => void world.log.push(line),
    onRestart: () => hears.shift()?.(),
    onGiveUp: ({ message }) => {
      world.givenUp.push(message);
      hears.shift()?.();
    },
    now: () => world.atMs,
    pause: async () => undefined,
  });
  /** Kills it, and waits for what comes of that. */
  const kill = async (): Promise<void> => {
    const heard = new Promise<void>((resolve) => hears.push(resolve));
    kept.current().die();
    await heard;
  };
  return { world, kept, kill };
}

test('a server that ends by itself is started again, and says so', async () => {
  const { world, kept, kill } = await stage();
  await kill();
  expect(kept.current().pid).toBe(2);
  expect(world.log[0]).toBe('the server (process 1) has ended by itself; starting it again');
  await kept.stop();
  expect(world.started.map(({ stopped }) => stopped)).toEqual([false, true]);
  expect(world.givenUp).toEqual([]);
});

test('a server that was stopped stays stopped', async () => {
  const { world, kept } = await stage();
  await kept.stop();
  expect(world.started).toHaveLength(1);
  expect(world.log).toEqual([]);
});

test('after three quick deaths it is given up, with the end of its log', async () => {
  const { world, kept, kill } = await stage();
  for (let death = 1; death <= 3; death++) await kill();
  expect(world.started).toHaveLength(3);
  expect(world.givenUp).toEqual([expect.stringMatching(/^the server ended 3 times within 60 s.*\nout of memory$/)]);
  await kept.stop();
});

test('deaths that are far apart are no reason to give up', async () => {
  const { world, kept, kill } = await stage();
  for (let death = 1; death <= 10; death++) {
    world.atMs += 40_000;
    await kill();
  }
  expect(world.started).toHaveLength(11);
  expect(world.givenUp).toEqual([]);
  await kept.stop();
});

test('a server that does not start again is given up too, with the reason', async () => {
  const { world, kept, kill } = await stage();
  world.fails = true;
  await kill();
  expect(world.givenUp).toEqual([expect.stringContaining('no port')]);
  await kept.stop();
});
