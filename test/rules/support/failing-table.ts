import type { Database } from '../../../src/server/database/database.js';

/** While `work` runs, every row that is written to the table fails with this SQLSTATE, as on a full disk. */
export async function whileTableFails<T>(
  { knex }: Database,
  table: string,
  sqlstate: string,
  work: () => Promise<T>,
): Promise<T> {
  await knex.raw(`create or replace function fail_${table}() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '${sqlstate}'; end $$`);
  await knex.raw(
    `create trigger failing before insert or update on ${table} for each row execute function fail_${table}()`,
  );
  try {
    return await work();
  } finally {
    await knex.raw(`drop trigger failing on ${table}`);
    await knex.raw(`drop function fail_${table}()`);
  }
}
