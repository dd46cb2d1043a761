import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Which prompts and which models the runs of a day have, per engine: what two windows have in common, and when a model was
 * first seen. A panel is the hash of all prompts of a day, so that days with the same prompts are recognised without
 * reading them. Days whose runs were pruned stay without rows.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_engine_prompt (
      brand_key  integer not null,
      day        date not null,
      engine     text collate "C" not null,
      prompt_key integer not null,
      run_count  integer not null,
      primary key (brand_key, day, engine, prompt_key)
    )`,
    `create table day_panel (
      brand_key  integer not null,
      day        date not null,
      engine     text collate "C" not null,
      run_count  integer not null,
      panel_hash text not null,
      primary key (brand_key, day, engine)
    )`,
    `create table day_model (
      brand_key integer not null,
      day       date not null,
      engine    text collate "C" not null,
      model     text collate "C" not null,
      run_count integer not null,
      primary key (brand_key, engine, model, day)
    )`,
    'create index day_model_by_day on day_model (brand_key, day)',
  ]);
  const { rows: brands } = await knex.raw('select brand_key as "brandKey" from brands order by brand_key');
  for (const { brandKey } of brands) {
    await knex.raw(ENGINE_PROMPTS, { brandKey });
    await knex.raw(PANELS, { brandKey });
    await knex.raw(MODELS, { brandKey });
  }
}

/** Of one brand, so that a distributed database computes it where the brand's rows are. */
const ENGINE_PROMPTS = `
  insert into day_engine_prompt
  select brand_key, day, engine, prompt_key, count(*) from runs
  where brand_key = :brandKey group by brand_key, day, engine, prompt_key`;
const PANELS = `
  insert into day_panel
  select brand_key, day, engine, sum(run_count), md5(string_agg(cast(prompt_key as text), ',' order by prompt_key))
  from day_engine_prompt where brand_key = :brandKey group by brand_key, day, engine`;
const MODELS = `
  insert into day_model
  select brand_key, day, engine, model, count(*) from runs
  where brand_key = :brandKey group by brand_key, day, engine, model`;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table day_engine_prompt, day_panel, day_model');
}
