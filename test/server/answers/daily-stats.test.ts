import { expect } from 'chai';
import { catchUpDailyStats } from '../../../src/server/answers/daily-stats.js';
import type { Database } from '../../../src/server/database/database.js';
import { rebuildAll } from '../../../src/server/intake/dataset/rollups/rebuild.js';
import { emptyDatabase } from '../../support/database.js';
import { itOnServer } from '../../support/on-server.js';
import { randomDataset } from '../../support/reference/generators/dataset.js';
import { load, market, NOW, rival, runOf } from '../intake/dataset/support/load.js';
import { expectSame, tablesOf } from '../intake/dataset/support/tables.js';

const TODAY = '2026-11-20';
const on = (day: string) => ({ collected_at: `${day}T08:00:00Z` });

describe('daily statistics', () => {
  let database: Database;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.close());

  const stats = async () =>
    ((await tablesOf(database.knex)).daily_stats ?? []).map(
      (row) => JSON.parse(row) as Record<string, unknown>,
    );
  const daysOf = async () => [...new Set((await stats()).map(({ day }) => day))].sort();

  it('have an unrounded row per day for every entity on every engine that ran', async () => {
    const mentions = [
      { name: 'Acme', order: 2, sentiment: 'positive' },
      { name: 'Globex', order: 1 },
    ];
    const citations = ['https://acme.com/', 'https://x.example/', 'https://y.example/'].map((url) => ({
      url,
    }));
    await load(database.knex, [
      ...market,
      runOf('a', { ...on('2026-11-19'), mentions, citations }),
      runOf('b', on('2026-11-19')),
      runOf('c', on('2026-11-19')),
      runOf('d', { ...on('2026-11-19'), engine: 'llama' }),
    ]);
    const day = { brand_key: 'b', day: '2026-11-19', imported: false };
    const nothing = {
      presence_rate: 0,
      ...{ share_of_voice_fraction: null, citation_share: null, sentiment_index: null },
    };
    expect(await stats()).to.have.deep.members([
      {
        ...day,
        entity: 'b',
        engine: 'chatgpt',
        run_count: 3,
        visibility: (100 * 630929754) / 3e9,
        presence_rate: 1 / 3,
        share_of_voice_fraction: 0.5,
        citation_share: 1 / 3,
        sentiment_index: 100,
      },
      {
        ...day,
        entity: 'c',
        engine: 'chatgpt',
        run_count: 3,
        visibility: 100 / 3,
        presence_rate: 1 / 3,
        share_of_voice_fraction: 0.5,
        citation_share: 0,
        sentiment_index: null,
      },
      { ...day, entity: 'b', engine: 'llama', run_count: 1, visibility: 0, ...nothing },
      { ...day, entity: 'c', engine: 'llama', run_count: 1, visibility: 0, ...nothing },
    ]);
  });

  it('are written by an import only for finished days', async () => {
    await load(database.knex, [
      ...market,
      runOf('a'),
      runOf('b', on('2026-11-19')),
      runOf('c', on('2024-02-29')),
    ]);
    expect(await daysOf()).to.deep.equal(['2024-02-29', '2026-11-19']);
  });

  it('are removed with the last run of their day', async () => {
    await load(database.knex, [...market, runOf('a', on('2026-11-18'))]);
    await load(database.knex, [runOf('a', on('2026-11-17'))]);
    expect(await daysOf()).to.deep.equal(['2026-11-17']);
  });

  it('are recomputed when the tracked entities change', async () => {
    const mentions = [
      { name: 'Acme', order: 1 },
      { name: 'Initech', order: 2 },
    ];
    await load(database.knex, [...market, runOf('a', { ...on('2026-11-18'), mentions })]);
    const share = async () => (await stats()).find(({ entity }) => entity === 'b')!.share_of_voice_fraction;
    expect(await share()).to.equal(1);
    await load(database.knex, [{ ...rival, aliases: ['initech'] }]);
    expect(await share()).to.equal(0.5);
  });

  it('never replace imported ones, whichever came first', async () => {
    const imported = {
      type: 'daily_stat',
      brand: 'b',
      entity: 'b',
      engine: 'chatgpt',
      date: '2026-09-20',
      run_count: 9,
      visibility: 9,
    };
    const run = runOf('a', on('2026-09-20'));
    await load(database.knex, [...market, imported]);
    await load(database.knex, [run]);
    const one = await tablesOf(database.knex);
    await database.close();
    database = await emptyDatabase();
    await load(database.knex, [...market, run]);
    await load(database.knex, [imported]);
    expectSame(await tablesOf(database.knex), one);
    await load(database.knex, [runOf('a')]);
    expect((await stats()).map((row) => row.imported)).to.deep.equal([true]);
  });

  it('are written once if they are missing, and equal those of the import', async () => {
    const records = randomDataset(5, TODAY);
    await load(database.knex, records);
    const before = await tablesOf(database.knex);
    await database.knex.raw('delete from daily_stats');
    const { rows } = await database.knex.raw('select brand_key from brands');
    for (const { brand_key } of rows) await catchUpDailyStats(database.knex, brand_key, TODAY);
    expectSame(await tablesOf(database.knex), before);
    for (const { brand_key } of rows) {
      expect(await catchUpDailyStats(database.knex, brand_key, TODAY)).to.equal(0);
    }
  });

  itOnServer('equal those of a rebuild of all brands, as do all roll-ups', async () => {
    await load(database.knex, randomDataset(6, TODAY));
    const before = await tablesOf(database.knex);
    const emptied = Object.keys(before).filter(
      (table) => table.startsWith('day_') || table === 'daily_stats',
    );
    await database.knex.raw(`truncate ${emptied.join(', ')}`);
    const brands: string[] = [];
    for await (const { id } of rebuildAll(database.knex, NOW)) brands.push(id);
    expect(brands).to.deep.equal([...brands].sort());
    expectSame(await tablesOf(database.knex), before);
  });
});
