/** Roll-ups whose rows have lists: of keys, and at the same place what is counted of each, in any order. */
import { ON_DAYS } from './working-tables.js';

/** What is stored already. */
export interface StoredLists {
  readonly table: string;
  /** A working table with the keys of all rows that change, and the condition of these. */
  readonly changed: string;
}

export interface Summed {
  /** The key of a row besides `brand_key`. */
  readonly of: string;
  /** The column of the keys in `rows`, and that of their list. */
  readonly key: string;
  readonly keys: string;
  /** The columns of `rows` that are summed, which are also those of the lists, with the type of a sum. */
  readonly sums: Readonly<Record<string, 'integer' | 'bigint'>>;
  /** A query of rows. */
  readonly rows: string;
}

/** A query of the lists of each row, in the order of `sums`. @param stored What is added; if omitted, only `rows` count. */
export function summedLists({ of, key, keys, sums, rows }: Summed, stored?: StoredLists): string {
  const names = Object.keys(sums);
  const listed = (each: (name: string) => string): string => names.map(each).join(', ');
  const added = stored
    ? `
        union all
        select ${of}, unnest(${keys}), ${listed((name) => `unnest(${name})`)}
        from (
          select ${of}, ${keys}, ${listed((name) => name)} from ${stored.table}
          where brand_key = :brandKey and ${ON_DAYS}
        ) d
        join (select distinct ${of} from ${stored.changed}) c using (${of})`
    : '';
  return `
    select ${of}, array_agg(${key}) as ${keys}, ${listed((name) => `array_agg(${name}) as ${name}`)}
    from (
      select ${of}, ${key}, ${listed((name) => `cast(sum(${name}) as ${sums[name]}) as ${name}`)}
      from (
        ${rows} ${added}
      ) counted
      group by ${of}, ${key}
    ) summed
    group by ${of}`;
}

/** Assigns the lists, which have the sums of the stored row too. */
export const setLists = (...names: readonly string[]): string[] =>
  names.map((name) => `${name} = excluded.${name}`);
