import { expect } from 'chai';
import fc from 'fast-check';
import type { Knex } from 'knex';
import { blendedEngineIds, type EngineId, engineIds } from '../../../../src/contract/engines.js';
import { surfaces } from '../../../../src/contract/surfaces.js';
import { areListed, type Cut, cellDays } from '../../../../src/server/answers/sums/cell-sums.js';
import type { ChosenRuns } from '../../../../src/server/answers/sums/run-choice.js';
import { rollupOf, sliceSums } from '../../../../src/server/answers/sums/slice-sums.js';
import { addDays, everyDayOf } from '../../../../src/server/base/days.js';
import { emptyDatabase } from '../../../support/database.js';
import { fresh } from '../../../support/hooks.js';
import { onServer } from '../../../support/on-server.js';
import { randomDataset } from '../../../support/reference/generators/dataset.js';
import type { DatasetRecord } from '../../../support/reference/records.js';
import { load } from '../../intake/dataset/support/load.js';

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
  const days = everyDayOf({ start: priorStart, end });
  const bindings = { brandKey, engines, ...runs, start, end, priorStart, days };
  const rollup = rollupOf(engines, runs);
  if (rollup !== null) {
    const [[listed], [chosen]] = await Promise.all([
      sliceSums[rollup]['every entity'](db, bindings),
      sliceSums.runs['every entity'](db, bindings),
    ]);
    for (const part of ['days', 'entities', 'surfaces', 'panel'] as const)
      expect(sorted(listed![part]), part).to.deep.equal(sorted(chosen![part]));
  }
  for (const cut of CUTS) {
    for (const entity of [0, 1]) {
      const request = { brandKey, cut, engines, runs, window: { start: priorStart, end }, entity };
      if (!areListed(request)) continue;
      const [listed, chosen] = [await cellDays(db, request), await cellDays(db, request, 'runs')];
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
  const database = fresh(emptyDatabase);

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
    });
  }
});
