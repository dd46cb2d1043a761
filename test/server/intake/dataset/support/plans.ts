/** The statements of an import, and the plans that the database makes for them. */
import type { Knex } from 'knex';
import type pg from 'pg';

export interface Recorded {
  readonly sql: string;
  readonly bindings: unknown[];
}

/** What `work` sends to the database. */
export async function recordedStatements(db: Knex, work: () => Promise<unknown>): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  const listen = ({ sql, bindings = [] }: Recorded) => recorded.push({ sql, bindings });
  db.on('query', listen);
  try {
    await work();
  } finally {
    db.removeListener('query', listen);
  }
  return recorded;
}

/** A node of a plan that reads a table. */
export interface Plan {
  readonly sql: string;
  readonly node: string;
  readonly table: string;
  /** What the index looks up. */
  readonly condition: string;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Statements that make what the others need: they are run, the others are explained. */
const PREPARES = /^\s*(create temporary|set local|truncate (incoming|rebuilt|run_|offers|shopping|tracked))/;
/** Some begin with their name in a comment. */
const EXPLAINED = /^(\/\*.*?\*\/)?\s*(select|insert|update|delete|with)/;

/** The plans of recorded statements, in the order and with the settings of their transaction. Changes nothing. */
export async function plansOf(db: Knex, recorded: readonly Recorded[]): Promise<Plan[]> {
  const plans: Plan[] = [];
  const trx = await db.transaction();
  try {
    const connection: pg.Client = await trx.client.acquireConnection();
    for (const { sql, bindings } of recorded) {
      if (PREPARES.test(sql)) await connection.query(sql, bindings.length > 0 ? bindings : undefined);
      else if (EXPLAINED.test(sql)) {
        const { rows } = await connection.query(`explain (format json) ${sql}`, bindings);
        for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) plans.push(planOf(sql, node));
      }
    }
  } finally {
    await trx.rollback();
  }
  return plans.filter(({ table, node }) => table !== '' && node !== 'ModifyTable');
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const planOf = (sql: string, node: PlanNode): Plan => ({
  sql,
  node: node['Node Type'],
  table: node['Relation Name'] ?? '',
  condition: node['Index Cond'] ?? node['Recheck Cond'] ?? '',
});
