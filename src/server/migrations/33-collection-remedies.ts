import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/** What ends the reason for which a collection cannot begin; null: the server tries again by itself. */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, ['alter table collections add column remedy text collate "C"']);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['alter table collections drop column remedy']);
}
