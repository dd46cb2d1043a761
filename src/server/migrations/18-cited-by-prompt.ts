import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * What the answers to a prompt cite on a day, as one row with arrays: the keys, and at the same place the citations of each.
 * A row per domain or page took most of the time of an import and half of the size of all roll-ups.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_prompt_domains (
      brand_key   integer not null,
      day         date not null,
      prompt_key  integer not null,
      domain_keys integer[] not null,
      citations   integer[] not null,
      primary key (brand_key, day, prompt_key)
    )`,
    `create table day_prompt_own_urls (
      brand_key  integer not null,
      day        date not null,
      prompt_key integer not null,
      url_keys   integer[] not null,
      citations  integer[] not null,
      primary key (brand_key, day, prompt_key)
    )`,
  ]);
  await ofEachBrand(knex, [
    `insert into day_prompt_domains
     select brand_key, day, prompt_key, array_agg(domain_key), array_agg(citations) from day_prompt_domain
     where brand_key = :brandKey group by brand_key, day, prompt_key`,
    `insert into day_prompt_own_urls
     select brand_key, day, prompt_key, array_agg(url_key), array_agg(citations) from day_prompt_own_url
     where brand_key = :brandKey group by brand_key, day, prompt_key`,
  ]);
  await runEach(knex, ['drop table day_prompt_domain', 'drop table day_prompt_own_url']);
}

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_prompt_domain (
      brand_key  integer not null,
      day        date not null,
      prompt_key integer not null,
      domain_key integer not null,
      citations  integer not null,
      primary key (brand_key, day, prompt_key, domain_key)
    )`,
    `create table day_prompt_own_url (
      brand_key  integer not null,
      day        date not null,
      prompt_key integer not null,
      url_key    integer not null,
      citations  integer not null,
      primary key (brand_key, day, prompt_key, url_key)
    )`,
  ]);
  await ofEachBrand(knex, [
    `insert into day_prompt_domain
     select brand_key, day, prompt_key, unnest(domain_keys), unnest(citations) from day_prompt_domains
     where brand_key = :brandKey`,
    `insert into day_prompt_own_url
     select brand_key, day, prompt_key, unnest(url_keys), unnest(citations) from day_prompt_own_urls
     where brand_key = :brandKey`,
  ]);
  await runEach(knex, ['drop table day_prompt_domains', 'drop table day_prompt_own_urls']);
}

/** Brand by brand, so that a distributed database runs each statement where the brand's rows are. */
async function ofEachBrand(knex: Knex, statements: readonly string[]): Promise<void> {
  const { rows: brands } = await knex.raw('select brand_key as "brandKey" from brands order by brand_key');
  for (const { brandKey } of brands) {
    for (const statement of statements) await knex.raw(statement, { brandKey });
  }
}
