import { expect } from 'chai';
import { ExpectedError } from '../../../../src/contract/failure.js';
import { RUNS_NEEDED_DAYS } from '../../../../src/contract/limits.js';
import { newestAnswers } from '../../../../src/server/alerts/fact-check/check-request.js';
import { addDays } from '../../../../src/server/base/days.js';
import { rebuildAll } from '../../../../src/server/intake/dataset/rollups/rebuild.js';
import {
  type PrunedBrand,
  type PruneRequest,
  pruneRuns,
} from '../../../../src/server/intake/storage/prune-runs.js';
import { plainReads } from '../../../rules/support/reads.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
import { load, market, NOW, refusal, runOf } from '../dataset/support/load.js';
import { rollupsOf, tablesOf } from '../dataset/support/tables.js';

const TODAY = '2026-11-20';
const ago = (days: number) => addDays(TODAY, -days);
const product = { slot: 1, product: 'Anvil', url: 'https://acme.com/anvil' };

/** A run with everything that a run of the engine can have. */
const collected = (id: string, day: string, engine = 'chatgpt') =>
  runOf(id, {
    engine,
    collected_at: `${day}T08:00:00Z`,
    answer: `Answer ${id} names Acme.`,
    mentions: [
      { name: 'Acme', order: 1, sentiment: 'positive', evidence: `good ${id}` },
      { name: 'Globex', order: 2, sentiment: 'negative', evidence: `bad ${id}` },
    ],
    citations: [{ url: `https://acme.com/${id}`, title: 'A page' }],
    fanouts: ['which crm'],
    ...(engine !== 'grok' && { carousels: [{ placements: [product] }] }),
    ...(engine === 'chatgpt' && { ad: { advertiser: 'Globex' } }),
  });

/** ChatGPT runs today, Grok stopped 200 days ago, and Perplexity 300 days ago. */
const history = [
  ...[0, 1, 30, 55, 56, 57, 90, 120, 366].map((days) => collected(`c${days}`, ago(days))),
  ...[200, 255, 256, 300].map((days) => collected(`g${days}`, ago(days), 'grok')),
  ...[300, 301].map((days) => collected(`p${days}`, ago(days), 'perplexity')),
];

describe('pruning runs', () => {
  const database = fresh(emptyDatabase);
  beforeEach(async () => {
    const page = { type: 'tracked_page', brand: 'b', url: 'https://acme.com/c366' };
    await load(database.knex, [...market, page, ...history]);
  });

  const prune = async (request: Partial<PruneRequest> = {}): Promise<PrunedBrand[]> => {
    const pruned: PrunedBrand[] = [];
    for await (const brand of pruneRuns(database.knex, { today: TODAY, days: 60, ...request }))
      pruned.push(brand);
    return pruned;
  };
  const stored = async (): Promise<string[]> =>
    (await database.knex.raw('select id from runs order by id')).rows.map((row: { id: string }) => row.id);

  /** Every body that the API returns, on every engine and for every window. */
  async function everyBody(): Promise<string[]> {
    const server = await testServer({ now: NOW, database });
    const engines = ['', '&engine=chatgpt', '&engine=grok', '&engine=perplexity', '&engine=grok,chatgpt'];
    const paths = [
      ...plainReads.map((name) => `${name}?brand=b`),
      ...engines.flatMap((engine) => [7, 56].map((days) => `sentiment?brand=b&days=${days}${engine}`)),
      ...['visibility', 'sentiment_index'].flatMap((metric) => [
        `metrics/history?brand=b&metric=${metric}&days=56`,
        `metrics/history?brand=b&metric=${metric}&from=${ago(365)}&to=${TODAY}`,
      ]),
      `ads?brand=b&from=${ago(366)}&to=${ago(60)}`,
      'answers?brand=b&limit=1',
    ];
    const bodies: string[] = [];
    for (const path of paths) {
      server.now = new Date(server.now.getTime() + 1);
      const response = await server.request(`/api/v1/${path}`);
      bodies.push(`${path} ${response.status} ${await response.text()}`);
    }
    await server.close();
    const engineIds = ['chatgpt', 'grok', 'perplexity'] as const;
    const compared = await newestAnswers(database.knex, { brandKey: 1, engines: engineIds, rows: 8 });
    return [...bodies, JSON.stringify(compared)];
  }

  it('changes no read, and no roll-up', async () => {
    const before = await everyBody();
    const rollups = rollupsOf(await tablesOf(database.knex));
    const [{ runs }] = (await prune({ days: RUNS_NEEDED_DAYS })) as [PrunedBrand];
    expect(runs).to.be.above(4);
    expect(await everyBody()).to.deep.equal(before);
    expect(rollupsOf(await tablesOf(database.knex))).to.deep.equal(rollups);
  });

  it('keeps recent runs, and the last 56 days and the newest answer of an engine that stopped', async () => {
    expect(await prune()).to.deep.equal([{ id: 'b', runs: 5, days: 5 }]);
    expect(await stored()).to.have.members([
      ...['c0', 'c1', 'c30', 'c55', 'c56', 'c57'],
      ...['g200', 'g255'],
      ...['p300', 'p301'],
    ]);
    const { rows } = await database.knex.raw(
      `select (select count(*) from run_answers) as answers, (select count(*) from placements) as placements,
         (select count(*) from carousels) as carousels, (select count(*) from ads) as ads`,
    );
    expect(rows[0]).to.deep.equal({ answers: 10, placements: 8, carousels: 8, ads: 9 });
  });

  it('counts only, with dryRun; a second time finds nothing', async () => {
    expect(await prune({ dryRun: true })).to.deep.equal([{ id: 'b', runs: 5, days: 5 }]);
    expect(await stored()).to.have.length(history.length);
    await prune();
    expect(await prune()).to.deep.equal([{ id: 'b', runs: 0, days: 0 }]);
  });

  it('refuses fewer days than reads need, and a brand that does not exist', async () => {
    for (const request of [{ days: RUNS_NEEDED_DAYS - 1 }, { days: 0 }, { brand: 'nobody' }]) {
      const failure = await prune(request).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(ExpectedError);
    }
    expect(await stored()).to.have.length(history.length);
  });

  it('a rebuild of every roll-up, and a new competitor, leave pruned days as they are', async () => {
    const sums = async () =>
      (
        await database.knex.raw(
          `select (select sum(run_count) from day_scope) as runs, (select sum(citations) from day_tracked_url) as cited,
             (select count(*) from daily_stats where entity = 0) as stats`,
        )
      ).rows[0];
    const before = await sums();
    await prune();
    const rebuilt = [];
    for await (const brand of rebuildAll(database.knex, NOW)) rebuilt.push(brand);
    expect(await sums()).to.deep.equal(before);
    expect(rebuilt).to.deep.equal([{ id: 'b', days: 6 }]);
    await load(database.knex, [{ type: 'competitor', id: 'd', brand: 'b', name: 'Initech' }]);
    expect(await sums()).to.deep.equal(before);
  });

  it('an import of a run of a pruned day is refused by line; later days are accepted', async () => {
    await prune();
    const message = await refusal(database.knex, [collected('new', ago(60)), collected('late', ago(100))]);
    expect(message).to.equal(
      `line 2: collected_at: expected ${ago(89)} or later, because earlier runs of the brand were pruned; got ${ago(100)}T08:00:00.000Z`,
    );
  });

  it('deletes runs without an answer of pruned days, and keeps how often an answer was shown', async () => {
    const unshown = (id: string, day: string) =>
      runOf(id, { engine: 'chatgpt', outcome: 'not_shown', collected_at: `${day}T09:00:00Z` });
    await load(database.knex, [unshown('u90', ago(90)), unshown('u1', ago(1))]);
    const outcomes = () => database.knex('day_outcomes').select('day', 'unshown_runs').orderBy('day');
    const before = await outcomes();
    await prune();
    expect(await database.knex('unshown_runs').pluck('id')).to.deep.equal(['u1']);
    expect(await outcomes())
      .to.deep.equal(before)
      .and.to.have.lengthOf(2);
    for await (const _ of rebuildAll(database.knex, NOW));
    expect(await outcomes()).to.deep.equal(before);
  });

  it('prunes only one brand', async () => {
    const other = { type: 'brand', id: 'x', workspace: 'w', name: 'Other', domain: 'x.example' };
    const question = { type: 'prompt', id: 'p', brand: 'x', text: 'what?' };
    const runs = [0, 400].map((days) => ({ ...collected(`x${days}`, ago(days)), brand: 'x' }));
    await load(database.knex, [other, question, ...runs]);
    expect(await prune({ brand: 'x' })).to.deep.equal([{ id: 'x', runs: 1, days: 1 }]);
    expect(await stored())
      .to.include.members(['c366', 'x0'])
      .and.not.include('x400');
  });
});
