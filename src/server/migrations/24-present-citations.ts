import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Of each domain that the answers to a prompt cite on a day: its citations in answers that mention the brand. Null: the row is
 * older than this column, and the runs of the day say it.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, ['alter table day_prompt_domains add column present_citations integer[]']);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['alter table day_prompt_domains drop column present_citations']);
}
