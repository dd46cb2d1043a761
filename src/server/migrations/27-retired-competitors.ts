import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/** When a competitor stopped being tracked. Its number stays taken, because roll-ups of pruned days have it. */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, ['alter table competitors add column retired_at timestamptz']);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['alter table competitors drop column retired_at']);
}
