import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * The prompts that an engine was asked on a day, as one row with arrays: the keys, and at the same place the runs of each. A
 * row per prompt took four times as long to write.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_engine_prompts (
      brand_key   integer not null,
      day         date not null,
      engine      text collate "C" not null,
      prompt_keys integer[] not null,
      run_counts  integer[] not null,
      primary key (brand_key, day, engine)
    )`,
  ]);
  await ofEachBrand(
    knex,
    `insert into day_engine_prompts
     select brand_key, day, engine, array_agg(prompt_key), array_agg(run_count) from day_engine_prompt
     where brand_key = :brandKey group by brand_key, day, engine`,
  );
  await runEach(knex, ['drop table day_engine_prompt']);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_engine_prompt (
      brand_key  integer not null,
      day        date not null,
      engine     text collate "C" not null,
      prompt_key integer not null,
      run_count  integer not null,
      primary key (brand_key, day, engine, prompt_key)
    )`,
  ]);
  await ofEachBrand(
    knex,
    `insert into day_engine_prompt
     select brand_key, day, engine, unnest(prompt_keys), unnest(run_counts) from day_engine_prompts
     where brand_key = :brandKey`,
  );
  await runEach(knex, ['drop table day_engine_prompts']);
}

/** Brand by brand, so that a distributed database runs the statement where the brand's rows are. */
async function ofEachBrand(knex: Knex, statement: string): Promise<void> {
  const { rows: brands } = await knex.raw('select brand_key as "brandKey" from brands order by brand_key');
  for (const { brandKey } of brands) await knex.raw(statement, { brandKey });
}
