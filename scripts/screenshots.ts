/**
 * Pictures of runs in the Temporal Web UI, taken by a real browser and kept under `docs/screenshots/`.
 *
 *   node --conditions=fermata-source --import tsx scripts/screenshots.ts [path of chromium]
 *
 * Starts servers and a worker of its own, runs both examples to a point where they wait, and asks that each page shows
 * what people look for there: the definition's id, command types, node names, and what the run waits for.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connect, type Definition, type Fermata } from 'fermata';
import { createWorker, startServers } from 'fermata/workers';
import { chromium, type Page } from 'playwright-core';
import { commands as expenseCommands } from '../examples/expense-approval/commands.ts';
import expenseApproval from '../examples/expense-approval/definition.json' with { type: 'json' };
import { closeLedger } from '../examples/expense-approval/ledger.ts';
import { commands as leadCommands } from '../examples/lead-onboarding/commands.ts';
import { closeCrm } from '../examples/lead-onboarding/crm.ts';
import leadOnboarding from '../examples/lead-onboarding/definition.json' with { type: 'json' };

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}docs/screenshots`;
const executablePath = process.argv[2] ?? '/usr/bin/chromium';

const projectDir = await mkdtemp(join(tmpdir(), 'fermata-screenshots-'));
const servers = await startServers({
  projectDir,
  env: process.env,
  log: console.error,
  temporal: 'own',
  postgres: 'own',
  persistent: true,
  ports: 'free',
});
try {
  process.env['DATABASE_URL'] = servers.postgres.url;
  const options = { temporal: servers.temporal, databaseUrl: servers.postgres.url };
  const fermata = await connect({ ...options, migrate: true });
  const worker = await createWorker({ ...options, commands: [...leadCommands, ...expenseCommands] });
  const working = worker.run();
  try {
    await takePictures(fermata);
  } finally {
    worker.shutdown();
    await working;
    await fermata.close();
    await closeCrm();
    await closeLedger();
  }
} finally {
  await servers.stop();
  await rm(projectDir, { recursive: true, force: true });
}

/** Starts a run of each example and waits until both wait. */
async function startRuns(fermata: Fermata): Promise<{ lead: string; expense: string }> {
  await fermata.definitions.publish(leadOnboarding as Definition);
  await fermata.definitions.publish(expenseApproval as Definition);
  const { runs } = await fermata.events.publish({
    id: 'lead-1',
    type: 'lead.created',
    source: '/crm',
    data: {
      id: 'L-1',
      source: 'Facebook',
      name: 'Ada',
      email: 'ada@example.org',
      phone: '+33 1 00 00 00 01',
      company: { size: 120 },
    },
  });
  const lead = runs[0]?.runId ?? '';
  const expense = await fermata.runs.start('expense-approval', {
    id: 'expense-1',
    input: { expenseId: 'E-1', requester: 'rita', purpose: 'A chair', amount: 400 },
  });
  await untilWaiting(fermata, lead);
  await untilWaiting(fermata, expense.id);
  return { lead, expense: expense.id };
}

async function takePictures(fermata: Fermata): Promise<void> {
  const { lead, expense } = await startRuns(fermata);
  await mkdir(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1500, height: 1250 } });
    await picture(page, { path: 'workflows', name: 'runs', shows: ['facebook-lead-onboarding', 'expense-approval'] });
    await picture(page, {
      path: runPath(lead),
      name: 'lead-history',
      shows: ['assign_lead', 'add_tag', 'send_email', 'wait'],
    });
    await picture(page, {
      path: runPath(expense),
      tab: 'User Metadata',
      name: 'approval-details',
      framed: true,
      shows: ['review', '2 decisions on', 'A chair'],
    });
  } finally {
    await browser.close();
  }
}

function runPath(runId: string): string {
  return `workflows/${encodeURIComponent(runId)}`;
}

async function untilWaiting(fermata: Fermata, runId: string): Promise<void> {
  for await (const document of fermata.runs.watch(runId)) if (document.waiting.length > 0) return;
}

interface Picture {
  readonly path: string;
  readonly tab?: string;
  readonly name: string;
  /** What it shows stands in a frame of the page. */
  readonly framed?: boolean;
  readonly shows: readonly string[];
}

async function picture(page: Page, wanted: Picture): Promise<void> {
  await page.goto(`${servers.temporal.uiUrl}/namespaces/default/${wanted.path}`);
  if (wanted.tab) await page.getByRole('tab', { name: wanted.tab }).click();
  const place = wanted.framed ? page.frameLocator('iframe') : page;
  for (const text of wanted.shows) {
    await place.getByText(text).filter({ visible: true }).first().waitFor({ timeout: 20_000 });
  }
  await page.screenshot({ path: `${folder}/${wanted.name}.png` });
  console.error(`${wanted.name}.png shows ${wanted.shows.join(', ')}`);
}
