import { expect } from 'chai';
import { down, up } from '../../../src/server/migrations/26-outcomes.js';
import { emptyDatabase } from '../../support/database.js';
import { load, market, runOf } from '../dataset/support/load.js';

describe('migration: sums by surface', () => {
  it('keeps sums whose runs state one surface or none, and asks for those of several again', async () => {
    const database = await emptyDatabase();
    await load(database.knex, [
      ...market,
      { ...runOf('a'), engine: 'chatgpt', surface: 'ui' },
      { ...runOf('b'), engine: 'gemini' },
      { ...runOf('c'), engine: 'claude', surface: 'ui' },
      { ...runOf('d'), engine: 'claude', surface: 'api' },
    ]);
    const trx = await database.knex.transaction();
    // Two statements: on a distributed database the migration leaves the new table on the coordinator.
    const engines = async () => {
      const { rows: summed } = await trx.raw(
        'select engine, brand_runs is not null as summed from day_engine_prompts order by engine',
      );
      const { rows: regions } = await trx.raw('select engine, surface from day_engine_region_entities');
      return summed.map((row: { engine: string }) => ({
        ...row,
        surfaces: regions
          .filter(({ engine }: { engine: string }) => engine === row.engine)
          .map(({ surface }: { surface: string }) => surface),
      }));
    };
    // As the version before had stored them: a row for both surfaces of an engine.
    await trx.raw('create table before_surfaces as table day_engine_region_entities');
    await down(trx);
    await trx.raw(`
      insert into day_engine_region_entities
      select distinct on (engine) brand_key, day, engine, region,
        sum(run_count) over e, citations, array_agg(surfaces[1]) over e, array_agg(surface_runs[1]) over e, entities,
        present_runs, position_sums, weight_sums, positives, neutrals, negatives, entity_citations, prompt_keys, prompt_runs
      from before_surfaces window e as (partition by engine)`);
    await trx.raw(`
      update day_engine_region_entities set surfaces = '{}', surface_runs = '{}' where surfaces = '{null}'`);
    await trx.raw(`
      update day_engine_prompts set brand_runs = '{}', brand_positions = '{}', brand_weights = '{}'`);
    await up(trx);
    const migrated = await engines();
    await trx.rollback();
    await database.close();
    expect(migrated).to.deep.equal([
      { engine: 'chatgpt', summed: true, surfaces: ['ui'] },
      { engine: 'claude', summed: false, surfaces: [] },
      { engine: 'gemini', summed: true, surfaces: [''] },
    ]);
  });
});
