import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/** Finds the runs of some prompts in a window without reading all runs of the window. */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, ['create index runs_by_prompt on runs (brand_key, prompt_key, day)']);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['drop index runs_by_prompt']);
}
