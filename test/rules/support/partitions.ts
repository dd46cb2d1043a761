/**
 * Natively partitioned tables as a stand-in for distributed ones: the planner reads one partition where a statement names
 * the brand of every table, and several where Citus would refuse the statement or ask every node.
 */
import type { Knex } from 'knex';
import { distributedTables } from '../../../src/server/database/citus.js';

const PARTITIONS = 2;

/** Partitions the distributed tables by brand. Postgres then accepts no unique key without the brand. */
export async function partitionTables(trx: Knex): Promise<void> {
  for (const table of distributedTables) {
    await trx.raw(`alter table ${table} rename to whole_${table}`);
    await trx.raw(
      `create table ${table} (like whole_${table} including defaults including indexes) partition by hash (brand_key)`,
    );
    for (let remainder = 0; remainder < PARTITIONS; remainder++) {
      await trx.raw(
        `create table ${table}_part${remainder} partition of ${table}
         for values with (modulus ${PARTITIONS}, remainder ${remainder})`,
      );
    }
    await trx.raw(`insert into ${table} select * from whole_${table}`);
    await trx.raw(`drop table whole_${table}`);
  }
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The tables of which the statement reads more than one partition. */
export async function spreadTables(
  trx: Knex.Transaction,
  sql: string,
  bindings: Knex.ValueDict,
): Promise<string[]> {
  const { rows } = await trx.raw(`explain (format json) ${sql}`, bindings);
  const partitions = new Set(relationsOf(rows[0]['QUERY PLAN'][0].Plan));
  return distributedTables.filter(
    (table) => [...partitions].filter((name) => name.startsWith(`${table}_part`)).length > 1,
  );
}

const relationsOf = (node: PlanNode): string[] => [
  ...(node['Relation Name'] === undefined ? [] : [node['Relation Name']]),
  ...(node.Plans ?? []).flatMap(relationsOf),
];
