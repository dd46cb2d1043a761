/** Roll-ups whose rows have lists: of keys, and at the same place what is counted of each, in any order. */
import { ON_DAYS } from './working-tables.js';

export interface Summed {
  /** The stored table, whose lists are added; if omitted, only `rows` count. */
  readonly table?: string;
  /** The key of a row besides `brand_key`. */
  readonly of: string;
  /** The column of the keys in `rows`, and that of their list. */
  readonly key: string;
  readonly keys: string;
  /** The columns of `rows` that are summed, which are also those of the lists, with the type of a sum. */
  readonly sums: Readonly<Record<string, 'integer' | 'bigint'>>;
  /** A query of rows. */
  readonly rows: string;
  /** A working table with the keys of all rows that change, and the condition of these. */
  readonly changed?: string;
}

/** A query of the lists of each row, in the order of `sums`. */
export function summedLists({ table, of, key, keys, sums, rows, changed }: Summed): string {
  const names = Object.keys(sums);
  const listed = (each: (name: string) => string): string => names.map(each).join(', ');
  const stored = `
        union all
        select ${of}, unnest(${keys}), ${listed((name) => `unnest(${name})`)}
        from (
          select ${of}, ${keys}, ${listed((name) => name)} from ${table} where brand_key = :brandKey and ${ON_DAYS}
        ) d
        join (select distinct ${of} from ${changed}) c using (${of})`;
  return `
    select ${of}, array_agg(${key}) as ${keys}, ${listed((name) => `array_agg(${name}) as ${name}`)}
    from (
      select ${of}, ${key}, ${listed((name) => `cast(sum(${name}) as ${sums[name]}) as ${name}`)}
      from (
        ${rows} ${table ? stored : ''}
      ) counted
      group by ${of}, ${key}
    ) summed
    group by ${of}`;
}

/** Assigns the lists, which have the sums of the stored row too. */
export const setLists = (...names: readonly string[]): string[] =>
  names.map((name) => `${name} = excluded.${name}`);
