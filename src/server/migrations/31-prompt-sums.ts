import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Of each prompt that an engine was asked on a day: the tones and citations of the brand, all citations, and the presences of
 * all entities. Null: the row is older than these columns, so the sums of slices of the day are not computed.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `alter table day_engine_prompts ${LISTS.map((name) => `add column ${name} integer[]`)}`,
  ]);
}

const LISTS = [
  'brand_positives',
  'brand_neutrals',
  'brand_negatives',
  'brand_citations',
  'citations',
  'presences',
];

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [`alter table day_engine_prompts ${LISTS.map((name) => `drop column ${name}`)}`]);
}
