import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/** The presence of a day. Statistics that are computed are computed again, from the roll-ups; imported ones have none. */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    'alter table daily_stats add column presence_rate double precision',
    'delete from daily_stats where not imported',
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['alter table daily_stats drop column presence_rate']);
}
