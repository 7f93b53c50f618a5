/**
 * What a developer would write by hand on Temporal in place of the definitions of `bench/definitions.ts`: the same
 * commands with the same activity options, and names for the Web UI.
 */
import {
  type ActivityOptions,
  condition,
  defineSignal,
  defineUpdate,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';

interface Touch {
  readonly order: string;
  readonly step: number;
}

interface Activities {
  touch(payload: Touch): Promise<{ step: number }>;
}

interface Decision {
  readonly nodeId: string;
  readonly outcome: string;
  readonly by: { readonly id: string };
}

const RETRY = { maximumAttempts: 3, initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 60_000 };

/** One proxy for each step, since the summary is what the Web UI calls it. */
function touchAs(summary: string): Activities['touch'] {
  const options: ActivityOptions = {
    startToCloseTimeout: 60_000,
    retry: RETRY,
    summary,
    cancellationType: 'TRY_CANCEL',
  };
  return proxyActivities<Activities>(options).touch;
}

function touchLocallyAs(summary: string): Activities['touch'] {
  return proxyLocalActivities<Activities>({
    startToCloseTimeout: 5000,
    retry: RETRY,
    summary,
    cancellationType: 'TRY_CANCEL',
  }).touch;
}

export async function sequence({ order }: { order: string }): Promise<{ step: number }> {
  let last = { step: 0 };
  for (let step = 1; step <= 10; step++) last = await touchAs(`step${step}`)({ order, step });
  return last;
}

export async function sequenceLocal({ order }: { order: string }): Promise<{ step: number }> {
  let last = { step: 0 };
  for (let step = 1; step <= 10; step++) last = await touchLocallyAs(`step${step}`)({ order, step });
  return last;
}

const TWENTY = Array.from({ length: 20 }, (_, place) => place + 1);

export async function fanOut({ order }: { order: string }): Promise<{ step: number }[]> {
  return Promise.all(TWENTY.map((step) => touchAs(`step${step}`)({ order, step })));
}

export async function fanOutLocal({ order }: { order: string }): Promise<{ step: number }[]> {
  return Promise.all(TWENTY.map((step) => touchLocallyAs(`step${step}`)({ order, step })));
}

export async function approval({ order }: { order: string }): Promise<{ step: number }> {
  let decision: Decision | null = null;
  setHandler(defineSignal<[Decision]>('decide'), (given) => {
    decision ??= given;
  });
  setHandler(defineUpdate<{ counted: boolean }, [Decision]>('decide'), (given) => {
    decision ??= given;
    return { counted: decision === given };
  });
  await condition(() => decision !== null);
  return touchAs('release')({ order, step: 1 });
}

export async function delay({ ms }: { ms: number }): Promise<null> {
  await sleep(ms, { summary: 'wait' });
  return null;
}

export async function loop({ order, turns }: { order: string; turns: number }): Promise<{ step: number }> {
  const touch = touchAs('step');
  let last = { step: 0 };
  for (let step = 1; step <= turns; step++) last = await touch({ order, step });
  return last;
}
