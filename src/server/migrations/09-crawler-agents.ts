import type { Knex } from 'knex';

/** Lists the agents of a brand by one index step for each, however many hits there are. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index crawler_events_by_agent on crawler_events (brand_key, agent)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index crawler_events_by_agent');
}
