import { expect } from 'chai';
import fc from 'fast-check';
import { addDays } from '../../../../../src/server/base/days.js';
import type { Database } from '../../../../../src/server/database/database.js';
import {
  rebuildDays,
  rebuildTrackedUrls,
  stepsOf,
} from '../../../../../src/server/intake/dataset/rollups/rebuild.js';
import { emptyDatabase } from '../../../../support/database.js';
import { itOnServer } from '../../../../support/on-server.js';
import { randomDataset } from '../../../../support/reference/generators/dataset.js';
import { drawFrom } from '../../../../support/reference/generators/draw.js';
import { everyType } from '../support/all-types.js';
import { load, market, runOf } from '../support/load.js';
import { recordedStatements } from '../support/plans.js';
import { expectSame, rollupsOf, type Tables, tablesOf } from '../support/tables.js';

const TODAY = '2026-11-20';
const CATALOG = ['workspace', 'brand', 'competitor', 'topic', 'prompt', 'tag_group', 'reclassification'];

describe('the roll-ups', () => {
  let database: Database;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.close());

  const loaded = (lines: object[]) => load(database.knex, lines);
  const rollups = async (): Promise<Tables> => rollupsOf(await tablesOf(database.knex));
  const daysOf = async (table = 'day_scope') => [
    ...new Set((await rollups())[table]!.map((row) => JSON.parse(row).day)),
  ];

  async function sqlOf(work: () => Promise<unknown>): Promise<{ sql: string[] }> {
    return { sql: (await recordedStatements(database.knex, work)).map(({ sql }) => sql.trim()) };
  }

  /** Rebuilds every day of every brand from its runs, into emptied tables. */
  async function rebuilt(): Promise<Tables> {
    const { knex } = database;
    await knex.raw(`truncate ${Object.keys(await rollups()).join(', ')}`);
    const { rows } = await knex.raw(
      'select brand_key, array_agg(distinct day) as days from runs group by brand_key',
    );
    await knex.transaction(async (trx) => {
      for (const { brand_key, days } of rows) await rebuildDays(trx, brand_key, days);
    });
    return rollups();
  }

  itOnServer(
    'do not depend on the order of lines or on how they are split over files, and equal a rebuild',
    async () => {
      const tracked = { type: 'tracked_page', url: 'https://www.g2.com/categories/crm' };
      const drawn = randomDataset(12, TODAY, { runs: 200 });
      const brands = new Set(drawn.flatMap((record) => (record.type === 'brand' ? [record.id] : [])));
      const records: object[] = [...drawn, ...[...brands].map((brand) => ({ ...tracked, brand }))];
      const draw = drawFrom(12);
      await loaded(draw.shuffled(records));
      const atOnce = await tablesOf(database.knex);
      expectSame(await rebuilt(), rollupsOf(atOnce));
      await database.close();

      database = await emptyDatabase();
      const catalog = drawn.filter(({ type }) => CATALOG.includes(type));
      const others = draw.shuffled(records.filter((record) => !catalog.includes(record as never)));
      const size = Math.ceil(others.length / 4);
      await loaded(catalog);
      for (let at = 0; at < others.length; at += size) await loaded(others.slice(at, at + size));
      expectSame(await tablesOf(database.knex), atOnce);
    },
  );

  itOnServer(
    'equal a rebuild when a few runs, older and newer ones, are added to a day that has many',
    async () => {
      const draw = drawFrom(5);
      const pages = ['https://acme.com/', 'https://acme.com/a', 'https://x.example/', 'https://y.example/z'];
      const pick = <T>(values: readonly T[]): T => draw.shuffled([...values])[0]!;
      const some = <T>(values: readonly T[]): T[] => draw.shuffled([...values, ...values]).slice(0, 5);
      const drawnRun = (id: string) => {
        const engine = pick(['chatgpt', 'aio', 'llama']);
        const minute = pick(Array.from({ length: 50 }, (_, at) => 10 + at));
        const offers = ['One', 'Two', 'one'].map((product, at) => ({
          slot: at + 1,
          product,
          is_own: pick([true, false]),
        }));
        return runOf(id, {
          engine,
          prompt: pick(['p', 'q']),
          collected_at: `2026-11-${pick(['19', '20'])}T08:${minute}:00Z`,
          answer: pick(['text', ' ', 'more']),
          mentions: some(['Acme', 'globex', 'Nobody']).map((name, at) => ({
            name,
            order: at + 1,
            ...pick([{}, { sentiment: 'positive' }, { sentiment: 'negative', evidence: 'E' }]),
          })),
          citations: some(pages).map((url) => ({ url, title: pick([null, 'A', 'B', 'C']) })),
          fanouts: some(['s', 't', 'u']),
          ...(engine === 'llama' ? {} : { carousels: [{ placements: draw.shuffled(offers) }] }),
        });
      };
      const drawn = (count: number, name: string) =>
        Array.from({ length: count }, (_, at) => drawnRun(`${name}${at}`));
      const tracked = pages.slice(1, 3).map((url) => ({ type: 'tracked_page', brand: 'b', url }));
      await loaded([...market, ...tracked, ...drawn(120, 'many')]);
      for (const count of [1, 1, 2, 3, 1, 4]) {
        const { sql } = await sqlOf(() =>
          loaded(drawn(count, `few${count}${draw.shuffled([1, 2, 3, 4, 5, 6, 7]).join('')}`)),
        );
        expect(sql.some((each) => each.startsWith('delete from day_'))).to.equal(false);
      }
      const added = await rollups();
      expect(added.day_product).not.to.deep.equal([]);
      expect(await rebuilt()).to.deep.equal(added);
    },
  );

  it('name the newest answer of an engine and day that has text', async () => {
    const answers = Array.from({ length: 30 }, (_, at) =>
      runOf(`r${at}`, {
        collected_at: `${TODAY}T08:${String(at + 10)}:00Z`,
        mentions: [{ name: 'Acme', order: 1 }],
        answer: at < 28 ? 'text' : ' \n',
      }),
    );
    await loaded([...market, ...answers]);
    expect((await rollups()).day_newest_answer!.map((row) => JSON.parse(row).run_id)).to.deep.equal(['r27']);
  });

  it('are rebuilt for the former day, engine and prompt of a run that changes these', async () => {
    const said = {
      mentions: [{ name: 'Acme', order: 1 }],
      citations: [{ url: 'https://acme.com/' }],
      fanouts: ['q'],
    };
    const moves = [
      { collected_at: '2026-11-18T08:00:00Z' },
      { engine: 'grok' },
      { prompt: 'q' },
      { collected_at: '2026-11-17T08:00:00Z', engine: 'llama', prompt: 'q', mentions: [], citations: [] },
    ];
    for (const moved of moves) {
      await loaded([
        ...market,
        runOf('r', said),
        runOf('s', { ...said, collected_at: '2026-11-19T08:00:00Z' }),
      ]);
      await loaded([runOf('r', { ...said, ...moved })]);
      const after = await rollups();
      expect(await rebuilt()).to.deep.equal(after);
    }
    expect(await daysOf()).to.deep.equal(['2026-11-17', '2026-11-19']);
    expect(await daysOf('day_entity')).to.deep.equal(['2026-11-19']);
  });

  it('are deleted for a day that lost its only run', async () => {
    await loaded([...market, runOf('r', { citations: [{ url: 'https://acme.com/' }] })]);
    await loaded([runOf('r', { collected_at: '2026-11-01T08:00:00Z' })]);
    expect(await daysOf()).to.deep.equal(['2026-11-01']);
    expect(await daysOf('day_url')).to.deep.equal([]);
  });

  it('of shopping are computed only for days with carousels, and are deleted with the last carousel', async () => {
    const computed = (sql: string[]) =>
      sql.filter((each) => each.startsWith('insert into day_product')).length;
    const sold = { carousels: [{ placements: [{ slot: 1, product: 'One' }] }] };
    const without = await sqlOf(() => loaded([...market, runOf('r')]));
    expect(without.sql.some((each) => each.includes('shopping_placements'))).to.equal(false);
    const first = await sqlOf(() => loaded([runOf('s', { ...sold, collected_at: '2026-11-19T08:00:00Z' })]));
    expect(computed(first.sql)).to.equal(1);
    expect((await rollups()).day_product).to.have.length(1);
    const last = await sqlOf(() => loaded([runOf('s', { collected_at: '2026-11-19T08:00:00Z' })]));
    expect(computed(last.sql)).to.equal(0);
    const after = await rollups();
    expect([after.day_product, after.day_carousel]).to.deep.equal([[], []]);
    expect(await rebuilt()).to.deep.equal(after);
  });

  it('do not change for other brands', async () => {
    await loaded(everyType);
    const before = await rollups();
    const other = [
      { type: 'brand', id: 'z', workspace: 'w', name: 'Acme', domain: 'acme.com' },
      { type: 'prompt', id: 'p', brand: 'z', text: '?' },
    ];
    await loaded([...other, runOf('r1', { brand: 'z', mentions: [{ name: 'Acme', order: 1 }] })]);
    const after = await rollups();
    for (const [table, rows] of Object.entries(after)) {
      expect(
        rows.filter((row) => JSON.parse(row).brand_key === 'b'),
        table,
      ).to.deep.equal(before[table]);
    }
  });

  it('of tracked pages include the days before the page was tracked', async () => {
    const cited = { citations: [{ url: 'https://acme.com/a?utm_source=x' }, { url: 'https://acme.com/a' }] };
    await loaded([
      ...market,
      runOf('r', cited),
      runOf('s', { ...cited, collected_at: '2025-01-01T00:00:00Z' }),
    ]);
    expect(await daysOf('day_tracked_url')).to.deep.equal([]);
    await loaded([{ type: 'tracked_page', brand: 'b', url: 'https://acme.com/a#x' }]);
    const before = await rollups();
    expect(before.day_tracked_url!.map((row) => JSON.parse(row))).to.deep.equal([
      {
        brand_key: 'b',
        url_key: 'https://acme.com/a',
        day: '2025-01-01',
        citations: 2,
        answers: 1,
        engines: 1,
      },
      {
        brand_key: 'b',
        url_key: 'https://acme.com/a',
        day: '2026-11-20',
        citations: 2,
        answers: 1,
        engines: 1,
      },
    ]);
    await database.knex.transaction((trx) => rebuildTrackedUrls(trx, 1));
    expect(await rollups()).to.deep.equal(before);
  });

  it('of pages that are tracked from the same file on are computed with the others, not once more', async () => {
    const filled = (sql: string[]) =>
      sql.filter((each) => each.startsWith('insert into run_citations')).length;
    const tracked = (page: string) => ({ type: 'tracked_page', brand: 'b', url: `https://acme.com/${page}` });
    const cited = { citations: [{ url: 'https://acme.com/a' }, { url: 'https://acme.com/b' }] };
    const first = await sqlOf(() => loaded([...market, tracked('a'), runOf('r', cited)]));
    expect(filled(first.sql)).to.equal(1);
    const later = runOf('s', { ...cited, collected_at: '2025-01-01T00:00:00Z' });
    const second = await sqlOf(() => loaded([tracked('b'), later]));
    expect(filled(second.sql)).to.equal(2);
    const after = await rollups();
    expect(after.day_tracked_url).to.have.length(4);
    expect(await rebuilt()).to.deep.equal(after);
  });

  itOnServer('look up each cited page once, however many steps a rebuild takes', async () => {
    const { knex } = database;
    const citing = (at: number, ...names: string[]) =>
      runOf(`r${at}`, {
        collected_at: `2026-11-0${at}T08:00:00Z`,
        citations: names.map((name) => ({ url: `https://${name}.example/` })),
      });
    const week = [1, 2, 3, 4, 5, 6, 7].map((at) => citing(at, 'x', 'y'));
    await loaded([...market, ...week, citing(8, 'y', 'z')]);
    // A step has more than a week only if it has few runs.
    await knex.raw(
      `insert into runs select (json_populate_record(r, json_build_object('id', 'n' || n, 'c_url', '{}'::int[]))).*
       from runs r, generate_series(1, 10000) n where r.id = 'r8'`,
    );
    const looked: number[] = [];
    await knex.transaction(async (trx) => {
      trx.on('query-response', (response: { rowCount: number }, { sql }: { sql: string }) => {
        if (sql.trim().startsWith('insert into rebuilt_urls')) looked.push(response.rowCount);
      });
      const days = Array.from({ length: 8 }, (_, at) => `2026-11-0${at + 1}`);
      await rebuildDays(trx, 1, days);
    });
    expect(looked).to.deep.equal([2, 1]);
  });

  it('take no more locks for a quarter of many brands than for a week of one, because a server has only a few thousand', async () => {
    const firstDay = Date.parse('2026-08-23');
    const days = Array.from({ length: 90 }, (_, at) =>
      new Date(firstDay + at * 86_400_000).toISOString().slice(0, 10),
    );
    await loaded(market);
    await database.knex.transaction(async (trx) => {
      const locks = async () =>
        (await trx.raw('select count(*) as held from pg_locks where pid = pg_backend_pid()')).rows[0].held;
      const before = await locks();
      await rebuildDays(trx, 1, days.slice(0, 7));
      const afterWeek = await locks();
      expect(afterWeek).to.be.greaterThan(before);
      await rebuildDays(trx, 1, days);
      await rebuildDays(trx, 2, days.slice(0, 28));
      // A plan for more days may use another index, which is locked too, whatever the number of days: fewer than a lock a day.
      expect(await locks()).to.be.within(afterWeek, afterWeek + 10);
    });
  });

  it('contain the sums that the formulas need', async () => {
    const mentions = [
      { name: 'Acme', order: 3, sentiment: 'negative' },
      { name: 'acme', order: 1 },
      { name: 'Globex', order: 2, sentiment: 'positive', evidence: 'E' },
      { name: 'globex', order: 2, sentiment: 'neutral' },
    ];
    const citations = ['https://acme.com/', 'https://x.acme.com/', 'https://y.example/'].map((url) => ({
      url,
    }));
    await loaded([...market, runOf('r', { mentions, citations }), runOf('s', { citations })]);
    const tables = await rollups();
    const day = { brand_key: 'b', day: '2026-11-20', engine: 'chatgpt' };
    expect(tables.day_scope!.map((row) => JSON.parse(row))).to.deep.equal([
      {
        ...day,
        run_count: 2,
        citations: 6,
        quotes: 1,
        ad_observers: 0,
        carousel_observers: 0,
        tracked_runs: 0,
      },
    ]);
    const tones = { positive: 0, neutral: 0, negative: 0 };
    expect(tables.day_entity!.map((row) => JSON.parse(row))).to.have.deep.members([
      {
        ...day,
        entity: 'b',
        present_runs: 1,
        position_sum: 1,
        weight_sum: 1e9,
        ...tones,
        negative: 1,
        citations: 4,
      },
      {
        ...day,
        entity: 'c',
        present_runs: 1,
        position_sum: 2,
        weight_sum: 630929754,
        ...tones,
        positive: 1,
        citations: 0,
      },
    ]);
  });
});

const days = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => addDays('2026-01-01', at)).reverse();
/** Steps of days that have so many runs each, as numbers of days. */
const sizes = (count: number, runs: number): number[] =>
  stepsOf(days(count), new Map(days(count).map((day) => [day, runs]))).map(({ length }) => length);

describe('steps of a rebuild', () => {
  it('have a day of a brand with many runs', () => {
    expect(sizes(3, 50_000)).to.deep.equal([1, 1, 1]);
    expect(sizes(7, 4000)).to.deep.equal([2, 2, 2, 1]);
  });

  it('have at most 10,000 runs or one day, whatever the days have', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { maxLength: 60 }), (counts) => {
        const all = days(counts.length);
        const runsOf = new Map(all.map((day, at) => [day, counts[at]!]));
        for (const step of stepsOf(all, runsOf)) {
          const runs = step.reduce((sum, day) => sum + runsOf.get(day)!, 0);
          expect(step.length === 1 || runs <= 10_000).to.equal(true);
        }
      }),
    );
  });

  it('have as many days as have 10,000 runs together', () => {
    expect(sizes(100, 250)).to.deep.equal([40, 40, 20]);
    expect(sizes(365, 1)).to.deep.equal([365]);
  });

  it('have every day once, sorted, those without runs too', () => {
    const found = stepsOf(days(30), new Map([['2026-01-05', 20_000]]));
    expect(found.flat()).to.deep.equal(days(30).reverse());
    expect(stepsOf([], new Map())).to.deep.equal([]);
  });
});
