import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * Computed and imported statistics of one day stand side by side, so that the computed ones win without a trace of the
 * order in which they came; ranges are read by day.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    'alter table daily_stats drop constraint daily_stats_pkey',
    'alter table daily_stats add primary key (brand_key, day, engine, entity, imported)',
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    'delete from daily_stats where not imported',
    'alter table daily_stats drop constraint daily_stats_pkey',
    'alter table daily_stats add primary key (brand_key, entity, engine, day)',
  ]);
}
