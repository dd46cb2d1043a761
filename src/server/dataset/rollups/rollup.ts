/** A daily roll-up: how its rows are computed from the working tables, and how they are added to stored rows. */

export interface Rollup {
  /** Selects rows for some runs, with the columns of the table in their order. */
  readonly select: string;
  /** The key of a row besides `brand_key`. */
  readonly key: string;
  /** Columns that are sums. */
  readonly adds: readonly string[];
  /** How the other columns are merged, as assignments. */
  readonly sets?: readonly string[];
}

/** Adds the rows of a roll-up to those that the table has. */
export function addSql(table: string, { select, key, adds, sets = [] }: Rollup): string {
  const sums = adds.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
  return `insert into ${table} ${select} on conflict (brand_key, ${key}) do update set ${[...sums, ...sets].join(', ')}`;
}
