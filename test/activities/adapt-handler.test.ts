import { describe, expect, test } from 'vitest';
import { adaptHandler, type ArticleCommand, type ArticleResult, CommandError } from '../../activities/index.ts';
import type { Json } from '../../definitions/types.ts';
import { failureOf, RUN_ID, startAttempt } from './run-attempt.ts';

/** Written as the article writes one, with no type of ours. */
class SendSmsHandler {
  readonly sent: ArticleCommand[] = [];
  readonly takenBack: unknown[] = [];
  readonly #answer: (command: ArticleCommand) => ArticleResult;

  constructor(answer: (command: ArticleCommand) => ArticleResult = () => ({ success: true })) {
    this.#answer = answer;
  }
  canHandle(type: string): boolean {
    return type === 'send_sms';
  }
  async execute(command: ArticleCommand): Promise<ArticleResult> {
    this.sent.push(command);
    return this.#answer(command);
  }
  async rollback(command: ArticleCommand, output: Json): Promise<void> {
    this.takenBack.push({ id: command.id, payload: command.payload, output });
  }
}

const start = (instance: SendSmsHandler, more: object = {}) =>
  startAttempt({ handlers: [adaptHandler(instance)], type: 'send_sms', payload: { to: '+1' }, ...more });

describe('a class handler', () => {
  test("is given the article's command object", async () => {
    const instance = new SendSmsHandler();
    await start(instance, { header: { v: 3 } }).done;
    expect(instance.sent).toEqual([
      {
        type: 'send_sms',
        id: `${RUN_ID}/assign/1`,
        payload: { to: '+1' },
        timestamp: '2027-01-01T00:00:00.000Z',
        version: 3,
      },
    ]);
  });

  test.each<[ArticleResult, Json]>([
    [{ success: true, data: { sid: 1 } }, { sid: 1 }],
    [{ success: true, output: { sid: 2 } }, { sid: 2 }],
    [{ success: true }, null],
  ])('that answers %j has the output %j', async (answer, output) => {
    expect(await start(new SendSmsHandler(() => answer)).done).toEqual(output);
  });

  test.each<[unknown, string, Json | undefined]>([
    ['no credit', 'no credit', undefined],
    [{ message: 'no credit', code: 21 }, 'no credit', { message: 'no credit', code: 21 }],
    [new Error('no credit'), 'no credit', undefined],
    [undefined, 'the handler reported a failure and gave no reason', undefined],
  ])('that reports the failure %j fails without retry', async (error, message, details) => {
    const failure = await failureOf(start(new SendSmsHandler(() => ({ success: false, error }))).done);
    expect(failure).toMatchObject({ type: 'COMMAND_FAILED', message, nonRetryable: true });
    expect(failure.details?.[0]).toEqual(details);
  });

  test('that throws is retried like any other', async () => {
    const broken = new SendSmsHandler(() => {
      throw new Error('line down');
    });
    expect(await failureOf(start(broken).done)).toMatchObject({ type: 'HANDLER_ERROR', nonRetryable: false });
    const typed = new SendSmsHandler(() => {
      throw new CommandError('NO_SUCH_NUMBER', 'x', { retryable: false });
    });
    expect(await failureOf(start(typed).done)).toMatchObject({ type: 'NO_SUCH_NUMBER', nonRetryable: true });
  });

  test('takes back the command that it carried out, under that id', async () => {
    const instance = new SendSmsHandler();
    const payload = { input: { to: '+1' }, output: { sid: 1 } };
    await start(instance, { payload, header: { u: 1 }, info: { activityId: 'sms/1/undo' } }).done;
    expect(instance.takenBack).toEqual([{ id: `${RUN_ID}/sms/1`, payload: { to: '+1' }, output: { sid: 1 } }]);
  });

  test('is refused where it lacks a method, or cannot handle a type that it is registered for', () => {
    expect(() => adaptHandler({ canHandle: () => true } as never)).toThrow('Object has no method execute');
    expect(() => adaptHandler(new SendSmsHandler(), { types: ['send_fax'] })).toThrow(
      'SendSmsHandler cannot handle send_fax',
    );
    expect(() => adaptHandler(new SendSmsHandler(), { timeout: 'long' })).toThrow('`timeout`: "long" is no duration');
  });
});
