import type { Knex } from 'knex';
import { runEach } from './run-each.js';

const TONES = ['negative', 'neutral', 'positive'];

/** The newest runs with a quote are looked up engine by engine, so that a rare engine costs what a common one does. */
export async function up(knex: Knex): Promise<void> {
  for (const tone of TONES) {
    await runEach(knex, [
      `drop index runs_${tone}`,
      `create index runs_${tone} on runs (brand_key, engine, day desc, id desc) where quotes_${tone} > 0`,
    ]);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const tone of TONES) {
    await runEach(knex, [
      `drop index runs_${tone}`,
      `create index runs_${tone} on runs (brand_key, day desc, id desc) where quotes_${tone} > 0`,
    ]);
  }
}
