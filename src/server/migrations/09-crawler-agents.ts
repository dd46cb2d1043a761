import type { Knex } from 'knex';

/** Lets the agents of a brand be told by jumping from one to the next, however many hits there are. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index crawler_events_by_agent on crawler_events (brand_key, agent)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index crawler_events_by_agent');
}
