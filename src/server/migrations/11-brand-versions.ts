import type { Knex } from 'knex';
import { runEach } from './run-each.js';

/**
 * The version of a brand's data and whether it ever had runs, in a table that a distributed database keeps with the data:
 * a change of both is visible at once. A version in `brands`, which is elsewhere, can be visible before the data.
 */
export async function up(knex: Knex): Promise<void> {
  await runEach(knex, [
    `create table brand_versions (
      brand_key    integer primary key,
      data_version bigint not null,
      collected    boolean not null
    )`,
  ]);
  const { rows } = await knex.raw('select brand_key as "brandKey", data_version as version from brands');
  for (const brand of rows) {
    await knex.raw(
      `insert into brand_versions
       select cast(:brandKey as integer), cast(:version as bigint),
         exists (select 1 from runs where brand_key = :brandKey)`,
      brand,
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table brand_versions');
}
