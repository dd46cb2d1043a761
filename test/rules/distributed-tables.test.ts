import { expect } from 'chai';
import type { Knex } from 'knex';
import { distributedTables, tables } from '../../src/server/database/citus.js';
import { emptyDatabase } from '../support/database.js';
import { fresh } from '../support/hooks.js';

const APART = "n.nspname = 'public' and c.relkind in ('r', 'p')";

const namesOf = async (db: Knex, sql: string): Promise<string[]> =>
  (await db.raw(sql, { distributed: [...distributedTables] })).rows.map((row: { name: string }) => row.name);

/** Every ordinary table. */
const everyTable = (db: Knex) =>
  namesOf(
    db,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where ${APART} order by 1`,
  );

const OF_DISTRIBUTED = `join pg_class c on c.oid = %s join pg_namespace n on n.oid = c.relnamespace
  where ${APART} and c.relname = any(:distributed)`;
const of = (column: string) => OF_DISTRIBUTED.replace('%s', column);

/** What a distributed table may not have, each with the query that names it. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  'an index that does not begin with brand_key': `
    select i.indexrelid::regclass::text as name from pg_index i ${of('i.indrelid')}
      and not exists (select 1 from pg_attribute a
        where a.attrelid = i.indrelid and a.attnum = i.indkey[0] and a.attname = 'brand_key')`,
  'a foreign key': `
    select k.conname as name from pg_constraint k ${of('k.conrelid')} and k.contype = 'f'
    union select k.conname from pg_constraint k ${of('k.confrelid')} and k.contype = 'f'`,
  'an identity column': `
    select a.attname as name from pg_attribute a ${of('a.attrelid')} and a.attidentity <> ''`,
  'a trigger': `
    select t.tgname as name from pg_trigger t ${of('t.tgrelid')} and not t.tgisinternal`,
  'a default of a sequence': `
    select c.relname as name from pg_attrdef d ${of('d.adrelid')}
      and pg_get_expr(d.adbin, d.adrelid) like 'nextval(%'`,
  'a type that is not built in': `
    select a.attname as name from pg_attribute a join pg_type t on t.oid = a.atttypid ${of('a.attrelid')}
      and a.attnum > 0 and t.typnamespace <> 'pg_catalog'::regnamespace`,
  'no primary key': `
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${APART} and c.relname = any(:distributed)
      and not exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisprimary)`,
};

async function violations(db: Knex): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [what, sql] of Object.entries(FORBIDDEN)) {
    const names = await namesOf(db, sql);
    if (names.length > 0) found[what] = names;
  }
  return found;
}

describe('rule: every table can be distributed by brand, or is local by decision', () => {
  const database = fresh(emptyDatabase);

  /** Runs `work` in a transaction that is undone. */
  async function undone(work: (trx: Knex.Transaction) => Promise<void>): Promise<void> {
    const trx = await database.knex.transaction();
    try {
      await work(trx);
    } finally {
      await trx.rollback();
    }
  }

  it('the list has every table of the schema, and no other', async () => {
    expect(await everyTable(database.knex)).to.deep.equal(Object.keys(tables).sort());
    await undone(async (trx) => {
      await trx.raw('create table planted (brand_key integer primary key)');
      expect(await everyTable(trx))
        .to.include('planted')
        .and.not.deep.equal(Object.keys(tables).sort());
    });
  });

  it('a local table has no brand_key, but for the brands themselves and what locks them', async () => {
    const { rows } = await database.knex.raw(
      `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
       join pg_namespace n on n.oid = c.relnamespace
       where ${APART} and a.attname = 'brand_key' and c.relname <> all(:distributed) order by 1`,
      { distributed: [...distributedTables] },
    );
    expect(rows.map((row: { name: string }) => row.name)).to.deep.equal([
      'brands',
      'collections',
      'import_locks',
    ]);
  });

  it('a distributed table begins its keys and indexes with brand_key, and refers to no other table', async () => {
    expect(await violations(database.knex)).to.deep.equal({});
  });

  it('each of these is found', async function () {
    // Citus refuses most of them itself.
    const planted: Readonly<Record<string, string>> = {
      'an index that does not begin with brand_key': 'create index planted on topics (name)',
      'a foreign key': 'alter table topics add foreign key (brand_key) references brands',
      'an identity column': 'alter table topics add n integer generated always as identity',
      'a trigger':
        'create trigger planted before update on topics for each row execute function suppress_redundant_updates_trigger()',
      'a default of a sequence': 'alter table topics add n serial',
      'a type that is not built in': `alter table topics add k workspaces`,
      'no primary key': 'alter table topics drop constraint topics_pkey',
    };
    expect(Object.keys(planted)).to.deep.equal(Object.keys(FORBIDDEN));
    if (process.env.TEST_CITUS_WORKERS) this.skip();
    for (const [what, sql] of Object.entries(planted)) {
      await undone(async (trx) => {
        await trx.raw(sql);
        expect(await violations(trx), what).to.have.property(what);
      });
    }
  });
});
