import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * In which regions the runs of a day were collected, so that a region is known or unknown without reading runs. Days whose
 * runs were pruned stay without rows. Reads of chosen runs look up the names and the pages of an entity by the indexes,
 * instead of reading every name and page.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table day_region (
      brand_key integer not null,
      day       date not null,
      region    text collate "C" not null,
      run_count integer not null,
      primary key (brand_key, region, day)
    )`,
    'create index day_region_by_day on day_region (brand_key, day)',
    'create index tracked_names on mention_names (brand_key, entity) where entity is not null',
    'create index cited_urls_by_domain on cited_urls (brand_key, domain_key)',
  ]);
  const { rows: brands } = await knex.raw('select brand_key as "brandKey" from brands order by brand_key');
  for (const { brandKey } of brands) await knex.raw(REGIONS, { brandKey });
}

/** Of one brand, so that a distributed database computes it where the brand's rows are. */
const REGIONS = `
  insert into day_region
  select brand_key, day, region, count(*) from runs
  where brand_key = :brandKey group by brand_key, day, region`;

export async function down(knex: Knex): Promise<void> {
  await runEach(knex, [
    'drop table day_region',
    'drop index tracked_names',
    'drop index cited_urls_by_domain',
  ]);
}
