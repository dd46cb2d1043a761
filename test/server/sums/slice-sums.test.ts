import { expect } from 'chai';
import fc from 'fast-check';
import type { Knex } from 'knex';
import { blendedEngineIds, type EngineId, engineIds } from '../../../src/contract/engines.js';
import { measureNames } from '../../../src/contract/measures.js';
import { surfaces } from '../../../src/contract/surfaces.js';
import type { Database } from '../../../src/server/database/database.js';
import { rebuildAll } from '../../../src/server/dataset/rollups/rebuild.js';
import { addDays, everyDayOf } from '../../../src/server/days.js';
import { chosenSums } from '../../../src/server/sums/entity-sums.js';
import type { ChosenRuns } from '../../../src/server/sums/run-choice.js';
import {
  areDaysSummed,
  type Cut,
  cellDays,
  cellsNeedRuns,
  rollupOf,
  sliceSums,
} from '../../../src/server/sums/slice-sums.js';
import { emptyDatabase } from '../../support/database.js';
import { onServer } from '../../support/on-server.js';
import { randomDataset } from '../../support/reference/generators/dataset.js';
import type { DatasetRecord } from '../../support/reference/records.js';
import { testServer } from '../../support/server.js';
import { load, market, NOW, runOf } from '../dataset/support/load.js';

const TODAY = '2026-11-20';
const CUTS: readonly Cut[] = ['prompt', 'region', 'engine', 'surface'];

interface Brand {
  readonly id: string;
  readonly brandKey: number;
  readonly promptKeys: readonly number[];
  readonly regions: readonly string[];
}

/** A statement for each brand, because its data are on one node of a distributed database. */
async function brandsOf(db: Knex): Promise<Brand[]> {
  const { rows } = await db.raw('select brand_key as "brandKey", id from brands order by 1');
  return Promise.all(
    rows.map(async (brand: Pick<Brand, 'id' | 'brandKey'>) => {
      const { rows: found } = await db.raw(
        `select array(select prompt_key from prompts where brand_key = :brandKey order by 1) as "promptKeys",
           array(select distinct region from day_region where brand_key = :brandKey order by 1) as regions`,
        { brandKey: brand.brandKey },
      );
      return { ...brand, ...found[0] };
    }),
  );
}

/** Rows in one order. */
const sorted = (rows: readonly object[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

/** What the roll-ups and the runs have of a slice must be the same. */
async function expectSame(
  db: Knex,
  brandKey: number,
  engines: readonly EngineId[],
  runs: ChosenRuns,
  back: number,
) {
  const end = TODAY;
  const start = addDays(end, 1 - back);
  const priorStart = addDays(start, -back);
  const bindings = { brandKey, engines, ...runs, start, end, priorStart };
  const rollup = rollupOf(engines, runs);
  if (rollup !== null) {
    const days = everyDayOf({ start: priorStart, end });
    const [[listed], [chosen]] = await Promise.all([
      sliceSums[rollup]['every entity'](db, { ...bindings, days }),
      chosenSums(db, bindings),
    ]);
    for (const part of ['days', 'entities', 'surfaces', 'panel'] as const)
      expect(sorted(listed![part]), part).to.deep.equal(sorted(chosen![part]));
  }
  for (const cut of CUTS) {
    for (const entity of [0, 1]) {
      const request = { brandKey, cut, engines, runs, window: { start: priorStart, end }, entity };
      if (await cellsNeedRuns(db, request)) continue;
      const [listed, chosen] = [await cellDays(db, request, false), await cellDays(db, request, true)];
      expect(sorted(listed), cut).to.deep.equal(sorted(chosen));
    }
  }
}

const someOf = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });

/** Random slices of a brand: of one dimension, of engines, regions and surfaces, and of every run. */
const slicesOf = ({ promptKeys, regions }: Brand) =>
  fc.record({
    engines: fc.oneof(
      fc.constant(blendedEngineIds),
      someOf(engineIds).map((some) => engineIds.filter((id) => some.includes(id))),
    ),
    runs: fc.record({
      promptKeys: promptKeys.length === 0 ? fc.constant(null) : fc.option(someOf(promptKeys)),
      regions: regions.length === 0 ? fc.constant(null) : fc.option(someOf(regions)),
      surfaces: fc.option(someOf(surfaces)),
    }),
    back: fc.integer({ min: 1, max: 20 }),
  });

describe('the sums of slices', () => {
  let database: Database;
  beforeEach(async () => {
    database = await emptyDatabase();
  });
  afterEach(() => database.close());

  async function expectSameOfAll(): Promise<void> {
    const { knex } = database;
    for (const brand of await brandsOf(knex)) {
      await fc.assert(
        fc.asyncProperty(slicesOf(brand), ({ engines, runs, back }) =>
          expectSame(knex, brand.brandKey, engines, runs, back),
        ),
        { numRuns: onServer(12, 5) },
      );
    }
  }

  /** Whether every day has the sums. */
  async function areSummed(): Promise<boolean[]> {
    const whole = { start: '2020-01-01', end: TODAY, engines: engineIds };
    const brands = await brandsOf(database.knex);
    return Promise.all(
      brands.map(
        async ({ brandKey }) => (await areDaysSummed(database.knex, { brandKey, ...whole }))[0]!.summed,
      ),
    );
  }

  /** As an upgrade leaves the days: without sums of slices. */
  async function forget(): Promise<void> {
    await database.knex.raw('truncate day_prompt_entities, day_region_entities, day_engine_region_entities');
    await database.knex.raw(
      'update day_engine_prompts set brand_runs = null, brand_positions = null, brand_weights = null',
    );
  }

  for (const seed of onServer([3, 21], [3])) {
    it(`are the same from roll-ups and from runs, after late and changed runs too (data ${seed})`, async () => {
      const records = randomDataset(seed, TODAY, { runs: 240 });
      const isRun = (record: DatasetRecord) => record.type === 'run';
      const runs = records.filter(isRun);
      await load(database.knex, [...records.filter((record) => !isRun(record)), ...runs.slice(0, -9)]);
      await expectSameOfAll();
      for (const run of runs.slice(-9)) await load(database.knex, [run]);
      await expectSameOfAll();
      const changed = runs.slice(0, 8).map((run) => ({ ...run, mentions: [], region: 'fr' }));
      await load(database.knex, changed);
      await expectSameOfAll();
      expect(await areSummed()).not.to.include(false);
    });
  }

  it('are missing after an upgrade, and are computed with the next run of a day, and by rollup', async () => {
    const yesterday = addDays(TODAY, -1);
    const days = [TODAY, yesterday];
    const many = days.flatMap((day) =>
      Array.from({ length: 30 }, (_, at) =>
        runOf(`${day}-${at}`, {
          collected_at: `${day}T08:00:00Z`,
          prompt: at % 3 === 0 ? 'q' : 'p',
          mentions: [{ name: at % 2 === 0 ? 'Acme' : 'Globex', order: 1 + (at % 4), sentiment: 'positive' }],
        }),
      ),
    );
    const summedOn = async (day: string) => {
      const bindings = { brandKey: 1, start: day, end: day, engines: engineIds };
      return (await areDaysSummed(database.knex, bindings))[0]!.summed;
    };
    await load(database.knex, [...market, ...many]);
    expect(await Promise.all(days.map(summedOn))).to.deep.equal([true, true]);
    await forget();
    expect(await Promise.all(days.map(summedOn))).to.deep.equal([false, false]);
    await load(database.knex, [runOf('late', { mentions: [{ name: 'Acme', order: 1 }] })]);
    expect(await Promise.all(days.map(summedOn))).to.deep.equal([true, false]);
    const { rows } = await database.knex.raw('select sum(run_count) as runs from day_prompt_entities');
    expect(rows[0].runs).to.equal(31);
    for await (const _ of rebuildAll(database.knex, NOW));
    expect(await Promise.all(days.map(summedOn))).to.deep.equal([true, true]);
    await expectSameOfAll();
  });

  it('make the same answers from roll-ups and from runs, byte for byte', async () => {
    await load(database.knex, randomDataset(12, TODAY, { runs: 240 }));
    const paths: string[] = [];
    for (const { id, brandKey, regions } of await brandsOf(database.knex)) {
      const region = regions[0];
      if (region === undefined) continue;
      const { rows } = await database.knex.raw(
        'select id as prompt, topic_id as topic, tags[1] as tag from prompts where brand_key = :brandKey order by id',
        { brandKey },
      );
      for (const values of rows) {
        const choices = Object.entries<string | null>({ ...values, region })
          .filter(([, value]) => value !== null)
          .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`);
        const engine = 'engine=chatgpt,llama';
        const both = `region=${encodeURIComponent(region)}&${engine}`;
        for (const choice of [...choices, engine, both])
          paths.push(
            ...['overview', 'competitors'].map((read) => `${read}?brand=${id}&${choice}`),
            `metrics/history?brand=${id}&metric=visibility&competitors=true&days=28&${choice}`,
            ...measureNames.map((metric) => `why?brand=${id}&metric=${metric}&by=tag&${choice}`),
            ...(choice === engine ? [`prompts?brand=${id}&${choice}`] : []),
          );
      }
    }
    const bodies = async (): Promise<string[]> => {
      const server = await testServer({ database });
      const found: string[] = [];
      for (const path of new Set(paths)) {
        server.now = new Date(server.now.getTime() + 500);
        const response = await server.request(`/api/v1/${path}`);
        found.push(`${path} ${response.status} ${await response.text()}`);
      }
      await server.close();
      return found;
    };
    const listed = await bodies();
    expect(listed.length).to.be.greaterThan(20);
    expect(listed.filter((body) => !body.includes(' 200 '))).to.deep.equal([]);
    await forget();
    expect(await bodies()).to.deep.equal(listed);
  });
});
