import type { Knex } from 'knex';

/** The day from which all runs of a brand are stored; null: none was ever pruned. Roll-ups of earlier days are final. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table brands add column runs_since date');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table brands drop column runs_since');
}
