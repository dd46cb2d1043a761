import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/** Finds the cited pages with the address of a forum without reading all cited pages. */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create index cited_urls_of_forums on cited_urls (brand_key, url_key) where page_type = 'forum'`,
  ]);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, ['drop index cited_urls_of_forums']);
}
