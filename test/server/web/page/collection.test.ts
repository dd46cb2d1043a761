/** How the collections of a brand stand, on its page and behind a link. */
import { expect } from 'chai';
import {
  brandKeyOf,
  type Collection,
  endCollection,
  planCollections,
  takeCollection,
} from '../../../../src/server/answers/collections.js';
import { NOW } from '../../../rules/support/records.js';
import { ruleServer } from '../../../rules/support/rule-server.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { signIn, type Visitor } from './support/visitor.js';

const MINUTE_MS = 60_000;
const texts = (html: string): string => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');

describe('the collections on the page', () => {
  const server = ruleServer();
  let visitor: Visitor;
  let brandKey: number;
  const day = NOW.toISOString().slice(0, 10);
  before(async () => {
    visitor = await signIn(server, OPERATOR_KEY);
    brandKey = (await brandKeyOf(server.database.knex, { id: 'first' }))[0]!.brandKey;
  });
  /** The page a minute later: what is kept of collections is looked up again after a second. */
  const page = async () => {
    server.now = new Date(server.now.getTime() + MINUTE_MS);
    return texts(await visitor.html('/brands/first'));
  };

  it('are not named where nobody collects', async () => {
    expect(await page()).to.not.match(/collection:|being collected/);
  });

  it('say that one runs, what it gave and cost, and when the next one is', async () => {
    const db = server.database.knex;
    await takeCollection(db, {
      ...{ brandKey, day, journal: 'j', host: 'secret-host', now: NOW, isForced: false },
    });
    expect(await page()).to.include('Answers are being collected since');
    await endCollection(db, {
      ...{
        brandKey,
        day,
        now: NOW,
        outcome: 'incomplete',
        reason: 'secret-reason',
        calls: 240,
        costUsd: 1.239,
      },
      ...{ assumedUsd: 0, answered: 118, missing: 2, waiting: 0 },
    });
    const dueAt = new Date(NOW.getTime() + 3_600_000);
    const next = { day: '2026-12-31', dueAt, reason: null, remedy: null };
    await planCollections(db, brandKey, { next, missed: [], now: NOW });
    const text = await page();
    expect(text).to.match(
      /Last collection: [^:]+:\d\d UTC, 118 of 120 answers for \$1\.24\. Next collection: /,
    );
    expect(text).to.not.include('secret');
  });

  it('say why the next one cannot begin and what ends that, instead of when it is', async () => {
    const db = server.database.knex;
    const due = { day: '2026-12-31', dueAt: new Date(NOW.getTime() + 3_600_000) };
    const plan = (fault: Pick<Collection, 'reason' | 'remedy'>) =>
      planCollections(db, brandKey, { next: { ...due, ...fault }, missed: [], now: NOW });
    await plan({ reason: 'OPENAI_API_KEY is not set.', remedy: 'restart' });
    const text = await page();
    expect(text)
      .to.include(
        'The next one cannot begin: OPENAI_API_KEY is not set. Correct the environment and start the server again.',
      )
      .and.not.match(/Next collection|was due/);
    await plan({ reason: null, remedy: null });
    expect(await page())
      .to.include('Next collection')
      .and.not.include('cannot begin');
  });

  it('say that the next one has not begun when it is late', async () => {
    server.now = new Date(NOW.getTime() + 2 * 3_600_000);
    expect(await page()).to.match(/The next one was due .* and has not begun/);
  });

  it('lead the steps of a brand without answers: what is missing, not that the server collects', async () => {
    const db = server.database.knex;
    await server.load([
      { type: 'workspace', id: 'fresh', name: 'Fresh', plan: 'growth' },
      { type: 'brand', id: 'fresh', workspace: 'fresh', name: 'Fresh', domain: 'fresh.example' },
    ]);
    const [fresh] = await brandKeyOf(db, { id: 'fresh' });
    const next = { day, dueAt: NOW, reason: 'OPENAI_API_KEY is not set.', remedy: 'restart' as const };
    await planCollections(db, fresh!.brandKey, { next, missed: [], now: NOW });
    server.now = new Date(server.now.getTime() + MINUTE_MS);
    expect(texts(await visitor.html('/brands/fresh')))
      .to.include(
        'Answers: this server is to collect them. The next one cannot begin: OPENAI_API_KEY is not set.',
      )
      .and.not.match(/Next collection|was due|this server collects them/);
  });

  it('are not told to the viewers of links', async () => {
    const made = await server.request('/shares?brand=first', OPERATOR_KEY, { method: 'POST' });
    const { path } = (await made.json()) as { path: string };
    const shown = await (await server.request(path, null)).text();
    expect(shown).to.include('id="scorecard"');
    expect(texts(shown)).to.not.match(/Last collection|was due/);
  });
});
