/** The staged release through the simulator: a count join, a morning by local clocks, and a channel that is down. */
import { readFileSync } from 'node:fs';
import { createManifest, createRegistry } from 'fermata/activities';
import { type Definition, parseDefinition, type RunDocument } from 'fermata/definitions';
import { type Mocks, simulate } from 'fermata/testing';
import { describe, expect, it } from 'vitest';
import { commands } from './commands.ts';

const handlers = createManifest(createRegistry(commands));
const text = readFileSync(new URL('definition.yaml', import.meta.url), 'utf8');
const { definition, issues } = parseDefinition(text, { file: 'definition.yaml', handlers });

const no = (type: string) => ({ error: { type, message: 'no', retryable: false } });
const REPLIES: NonNullable<Mocks['commands']> = {
  check_article: { output: { notes: [] }, takes: '2m' },
  publish_article: { output: { url: 'https://example.org/clocks' } },
  measure_readers: { output: { readToTheEnd: 0.6 } },
};
/** Only the proofreader is happy. */
const BROKEN_LINKS = { check_article: [{ when: "payload.check == 'links'", ...no('NOT_FIT') }, { output: {} }] };
const read = (outcome: string): Mocks => ({
  decisions: [{ after: '1h', nodeId: 'read', outcome, by: { id: 'eve', roles: ['editor'] } }],
});

interface Article {
  readonly replies?: Mocks['commands'];
  readonly mocks?: Mocks;
  readonly publishAt?: string;
}

function publish({ replies = {}, mocks = {}, publishAt = '2027-03-28T06:00' }: Article = {}): Promise<RunDocument> {
  const readers = { channels: ['site', 'newsletter', 'fax'], publishAt, timeZone: 'Europe/Paris' };
  const data = { slug: 'clocks', author: 'ada', title: 'When clocks change', ...readers };
  const event = { id: 'evt-1', type: 'article.finished', source: '/newsroom', data };
  const all = { ...mocks, commands: { ...REPLIES, ...replies } };
  return simulate(definition as Definition, { event, handlers, mocks: all });
}

describe('content publishing', () => {
  it('is valid with the handlers of this folder', () => {
    expect(issues).toEqual([]);
  });

  it('waits for its hour by the clocks of its readers, also on the night they change', async () => {
    const run = await publish();
    expect(run.trace.find(({ nodeId }) => nodeId === 'its_morning')).toMatchObject({
      startedAt: '2027-01-01T00:02:00.000Z', // two checks were happy, the editor need not read it any more
      finishedAt: '2027-03-28T04:00:00.000Z',
    });
    expect(run.completedAt).toBe('2027-03-28T04:30:00.000Z');
  });

  it('goes out at once when its hour is past', async () => {
    expect(await publish({ publishAt: '2026-12-31T06:00' })).toMatchObject({
      state: 'completed',
      completedAt: '2027-01-01T00:32:00.000Z',
    });
  });

  it('lets an editor outweigh one unhappy check, and not two', async () => {
    expect(await publish({ replies: BROKEN_LINKS, mocks: read('approved') })).toMatchObject({ state: 'completed' });
    const refused = await publish({ replies: BROKEN_LINKS, mocks: read('rejected') });
    expect(refused).toMatchObject({ state: 'failed', error: { type: 'NOT_PUBLISHED' } });
    expect(refused.emitted).toMatchObject([{ type: 'article.sent_back', data: { to: 'ada' } }]);
  });

  it('is taken down again when nobody reads it', async () => {
    const run = await publish({ replies: { measure_readers: no('NOBODY_READS_IT') } });
    expect(run).toMatchObject({ state: 'failed', emitted: [{ data: { reason: 'NOBODY_READS_IT: no' } }] });
    const published = run.commands.filter(({ command }) => command.type === 'publish_article');
    expect(published.map(({ state, undoes }) => [state, undoes !== undefined])).toEqual([
      ['rolled_back', false],
      ['success', true],
    ]);
  });

  it('goes to the other channels when one is down, and says which is missing', async () => {
    const publish_article = [
      { when: "payload.channel == 'fax'", ...no('NO_CHANNEL') },
      { when: "payload.channel == 'site'", output: { url: 'https://site.example.org' } },
      { output: { url: 'https://news.example.org' } },
    ];
    const run = await publish({ replies: { publish_article } });
    expect(run.emitted).toMatchObject([
      {
        type: 'article.published',
        data: { channels: ['https://site.example.org', 'https://news.example.org'], missing: ['no'] },
      },
    ]);
  });
});
