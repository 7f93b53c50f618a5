/**
 * `npm run demo`: the main job, end to end, on real servers. `--keep` leaves servers and worker up at the end.
 *
 * Read it from `demo` down: that is the API. What it prints and how it ends is in `demo/`.
 */
import { fileURLToPath } from 'node:url';
import { connect, type Definition, type Fermata, isFermataError, type RunDocument } from 'fermata';
import { createWorker, quietRuntime, type Servers, startServers } from 'fermata/workers';
import pg from 'pg';
import { cleanUp, once } from './demo/clean-up.ts';
import { aside, narrate, say, table, title } from './demo/narrate.ts';
import { commands as expenseCommands } from './expense-approval/commands.ts';
import expenseApproval from './expense-approval/definition.json' with { type: 'json' };
import { closeLedger } from './expense-approval/ledger.ts';
import { commands as leadCommands } from './lead-onboarding/commands.ts';
import { closeCrm } from './lead-onboarding/crm.ts';
import leadOnboarding from './lead-onboarding/definition.json' with { type: 'json' };

/** What the two hours of the article become here. */
const DELAY_MS = 5_000;
/** Makes ids of this demo its own, so that it can be run again on the same servers. */
const STAMP = Date.now().toString(36);

const stage = cleanUp();
let steps = '';

await stage.around(demo);
tellSteps();

async function demo(): Promise<void> {
  title('1. Servers');
  const servers = await startServers({
    projectDir: fileURLToPath(new URL('..', import.meta.url)),
    env: process.env,
    log: aside,
    persistent: true,
  });
  stage.add(servers.stop);
  say(`Temporal    ${servers.temporal.address}`);
  say(`PostgreSQL  ${hideSecret(servers.postgres.url)}`);
  say(`Web UI      ${servers.temporal.uiUrl ?? 'that of your Temporal server'}`);

  const fermata = await openFermata(servers);
  await publishDefinitions(fermata);
  await onboardLead(fermata, servers);
  await publishOtherEvents(fermata);
  await approveExpense(fermata);
  await showRows(servers);
  title('7. Look around');
  await lookAround(servers);
}

async function openFermata({ temporal, postgres }: Servers): Promise<Fermata> {
  // The handlers of the examples write into the same database.
  process.env['DATABASE_URL'] = postgres.url;
  stage.add(closeCrm);
  stage.add(closeLedger);

  const options = { temporal, databaseUrl: postgres.url, taskQueue: 'fermata-demo' };
  const fermata = await connect({ ...options, migrate: true });
  stage.add(() => fermata.close());

  quietRuntime();
  const worker = await createWorker({ ...options, commands: [...leadCommands, ...expenseCommands] });
  const working = worker.run();
  stage.add(async () => {
    worker.shutdown();
    await working;
  });
  say(`Worker      task queue ${worker.taskQueue}, in this process`);
  return fermata;
}

async function publishDefinitions(fermata: Fermata): Promise<void> {
  title('2. Definitions');
  for (const definition of [withDelay(leadOnboarding as Definition, DELAY_MS), expenseApproval as Definition]) {
    const { id, version, created } = await fermata.definitions.publish(definition);
    say(`${id} is version ${version}${created ? '' : ' (the same content was there already)'}`);
  }
}

async function onboardLead(fermata: Fermata, servers: Servers): Promise<void> {
  title('3. An event starts a run');
  say('A lead from Facebook, of a company with 120 people:');
  const { runs } = await fermata.events.publish(leadCreated('Facebook'));
  for (const { runId } of runs) {
    if (runId === null) continue;
    const run = await fermata.runs.get(runId);
    say(`run ${run.id}`);
    if (servers.temporal.uiUrl !== null) say(webUiOf(run.id, servers));
    const document = await narrate(run.watch({ everyMs: 100, signal: stage.interrupted }));
    steps = stepsOf(document);
  }
}

async function publishOtherEvents(fermata: Fermata): Promise<void> {
  title('4. Events that start nothing');
  const again = await fermata.events.publish(leadCreated('Facebook'));
  say(`The same event again: ${again.began.length} runs began; it started ${again.runs[0]?.runId} before`);
  const other = await fermata.events.publish(leadCreated('Newsletter'));
  for (const { definitionId, reason } of other.notMatched) {
    say(`A lead from a newsletter: ${definitionId} does not start, ${reason.message}`);
  }
}

async function approveExpense(fermata: Fermata): Promise<void> {
  title('5. People decide');
  const data = { expenseId: `E-${STAMP}`, requester: 'rita', purpose: 'A chair', amount: 400 };
  say(`rita hands in ${JSON.stringify(data)}`);
  const event = { id: `expense-${STAMP}`, type: 'expense.submitted', source: '/demo', data };
  const { runs } = await fermata.events.publish(event);
  const run = await fermata.runs.get(runs[0]?.runId ?? '');
  const story = narrate(run.watch({ everyMs: 100, signal: stage.interrupted }));
  const finance = (id: string) => ({ id, roles: ['finance'] });

  const first = await openTask(fermata, run.id, 'review');
  await decide(fermata, first, { outcome: 'approved', by: finance('rita') });
  await decide(fermata, first, { outcome: 'rejected', by: finance('fay'), data: { reason: 'too dear' } });
  const revision = await openTask(fermata, run.id, 'revise');
  await decide(fermata, revision, { outcome: 'resubmitted', by: 'rita', data: { amount: 250 } });
  const second = await openTask(fermata, run.id, 'review');
  await decide(fermata, second, { outcome: 'approved', by: finance('fay') });
  await decide(fermata, second, { outcome: 'approved', by: finance('finn') });

  await story;
  say(`output ${JSON.stringify(await run.result())}`);
}

type NewDecision = Parameters<Fermata['approvals']['decide']>[1];

async function decide(fermata: Fermata, taskId: string, decision: NewDecision): Promise<void> {
  const who = typeof decision.by === 'string' ? decision.by : decision.by.id;
  try {
    const answer = await fermata.approvals.decide(taskId, decision);
    say(`${who}: ${decision.outcome} (${answer.status})`);
  } catch (error) {
    if (!isFermataError(error)) throw error;
    say(`${who}: ${decision.outcome}, refused: ${error.message}`);
  }
}

/** The id of the open task of a node, as soon as the run has come to it. */
async function openTask(fermata: Fermata, runId: string, nodeId: string): Promise<string> {
  for await (const _ of fermata.runs.watch(runId, { everyMs: 100, signal: stage.interrupted })) {
    const { items } = await fermata.approvals.list({ runId });
    const task = items.find((item) => item.nodeId === nodeId);
    if (task !== undefined) return task.taskId;
  }
  throw new Error(`the run ${runId} ended before it came to ${nodeId}`);
}

async function showRows({ postgres }: Servers): Promise<void> {
  title('6. What the handlers wrote');
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const show = async (name: string, sql: string, value: string): Promise<void> =>
      table(name, (await client.query<object>(sql, [value])).rows);
    await show('crm.leads', 'select id, team, owner_id from crm.leads where id = $1', `L-${STAMP}`);
    await show('crm.tags', 'select lead_id, tag from crm.tags where lead_id = $1', `L-${STAMP}`);
    const messages = 'select channel, recipient, body, key from crm.messages where key like $1 order by sent_at';
    await show('crm.messages', messages, `%lead-${STAMP}/%`);
    const payments = 'select expense_id, recipient, amount, reversed from expenses.payments where expense_id = $1';
    await show('expenses.payments', payments, `E-${STAMP}`);
  } finally {
    await client.end();
  }
}

async function lookAround({ temporal, postgres }: Servers): Promise<void> {
  if (!process.argv.includes('--keep')) {
    say('`npm run demo -- --keep` leaves everything up. Runs and rows are kept in .fermata/ either way;');
    say('`npm run -s fermata -- dev --commands examples/lead-onboarding/commands.ts` starts the same servers again.');
    return;
  }
  say(`Web UI      ${temporal.uiUrl ?? 'that of your Temporal server'}`);
  say(`PostgreSQL  psql ${postgres.url}`);
  say('Runs        npm run -s fermata -- runs list');
  say('Ctrl-C stops everything.');
  tellSteps();
  await once(stage.interrupted);
}

function leadCreated(source: string) {
  const company = { name: 'Analytical Engines', size: 120 };
  const contact = { name: 'Ada', email: 'ada@example.org', phone: '+33 1 00 00 00 01' };
  const data = { id: `L-${STAMP}`, ...contact, source, company };
  return { id: `${source === 'Facebook' ? '' : 'other-'}lead-${STAMP}`, type: 'lead.created', source: '/demo', data };
}

/** The same definition with another delay, saying so. */
function withDelay(definition: Definition, delayMs: number): Definition {
  const nodes = definition.nodes.map((node) => {
    if (node.type !== 'delay') return node;
    say(`${definition.id}, as in the article but for one value: the delay of node "${node.id}" is`);
    say(`${delayMs} ms here, not ${node.config.delayMs} ms, so that you need not wait for two hours`);
    return { ...node, config: { ...node.config, delayMs } };
  });
  return { ...definition, nodes };
}

function tellSteps(): void {
  console.log(`\nsteps: ${steps}`);
}

function stepsOf(run: RunDocument | undefined): string {
  return (run?.trace ?? []).map(({ nodeId }) => nodeId).join(' ');
}

function webUiOf(runId: string, { temporal }: Servers): string {
  return `${temporal.uiUrl}/namespaces/${temporal.namespace}/workflows/${encodeURIComponent(runId)}`;
}

function hideSecret(url: string): string {
  return url.replace(/\/\/([^:@/]+):[^@]*@/, '//$1:***@');
}
