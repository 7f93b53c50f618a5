/**
 * `fermata approvals decide`: one person's answer.
 */
import type { Command } from 'commander';
import type { DecisionResult, Fermata, NewDecision } from '../../client/index.ts';
import type { Answer } from '../answer.ts';
import { addServerOptions, type ServerOptions, STORE_ONLY, withFermata } from '../connection.ts';
import { JSON_FORMS, readJsonOption } from '../input/read-json.ts';
import { type Paint, plain } from '../output/paint.ts';
import { addAction, addExamples, type Call, type Session } from '../verb.ts';

interface Options extends ServerOptions {
  readonly outcome: string;
  readonly by: string;
  readonly role?: readonly string[];
  readonly data?: string;
  readonly comment?: string;
  readonly subject?: string;
}

export function addDecide(noun: Command, session: Session): void {
  const command = noun
    .command('decide')
    .summary('give a decision')
    .description(
      'Gives a decision. The rules of the approval hold here as at every door: exit 1 and the reason when it does not ' +
        'count. While Temporal is down, or no worker is up, the decision is stored and delivered later.',
    )
    .argument('<task>', 'task id, from `fermata approvals list`')
    .requiredOption('--outcome <outcome>', 'such as approved or rejected')
    .requiredOption('--by <person>', 'who decides')
    .option('--role <role...>', 'roles of that person')
    .option('--data <json>', `answer of the form (${JSON_FORMS})`)
    .option('--comment <text>', 'for the record')
    .option('--subject <hash>', 'hash of what was looked at; refused when it has changed since');
  addExamples(command, [
    ['fermata approvals decide expense/e-1/approve/1 --outcome approved --by ann', 'approve'],
    ['fermata approvals decide expense/e-1/approve/1 --outcome rejected --by ann --comment "no receipt"', 'reject'],
    [
      `fermata approvals decide expense/e-1/approve/1 --outcome approved --by bob --role finance --data '{ "limit": 500 }'`,
      'with a role and the answer of the form',
    ],
  ]);
  addServerOptions(command);
  addAction<Options>(command, session, decide);
}

async function decide(call: Call<Options>): Promise<Answer> {
  const {
    args: [taskId = ''],
    options,
    io,
  } = call;
  const { outcome, by, role, comment, subject } = options;
  const decision: NewDecision = {
    outcome,
    by: { id: by, ...(role === undefined ? {} : { roles: role }) },
    ...(options.data === undefined ? {} : { data: await readJsonOption(io, '--data', options.data) }),
    ...(comment === undefined ? {} : { comment }),
    ...(subject === undefined ? {} : { subject }),
  };
  const give = ({ approvals }: Fermata) => approvals.decide(taskId, decision, { door: 'cli' });
  const answer = await withFermata(call, give, STORE_ONLY);
  return { document: answer, text: (paint) => decisionText(paint, answer, decision.outcome) };
}

function decisionText(paint: Paint, answer: DecisionResult, outcome: string): string {
  const task = plain(answer.taskId);
  if (answer.status === 'stored') return paint.yellow(plain(answer.message));
  if (answer.settled === null)
    return `${plain(outcome)} counts for ${task}${votesSoFar(answer)}; more decisions are needed.`;
  return `${plain(outcome)} counts for ${task}, which is now ${paint.bold(plain(answer.settled))}.`;
}

/** ` (1 of 2)`; of an outcome whose number is not known here, only how many. */
function votesSoFar({ votes }: Extract<DecisionResult, { readonly status: 'counted' }>): string {
  if (votes === undefined) return '';
  return votes.needed === null ? ` (${votes.given} so far)` : ` (${votes.given} of ${votes.needed})`;
}
