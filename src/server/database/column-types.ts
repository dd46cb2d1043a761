/** Parses the columns of a result, on either database. */
import pg from 'pg';

const asNumber = (value: string): number => Number(value);
const asIs = (value: string): string => value;
const arrayOf = (parse: (value: string) => unknown) => (value: string) =>
  value === '{}' ? [] : value.slice(1, -1).split(',').map(parse);

/** Parsers by type id, for types whose default parser is not used: counts become numbers, dates YYYY-MM-DD. */
const parsers = new Map<number, (value: string) => unknown>([
  [20, asNumber],
  [1700, asNumber],
  [1082, asIs],
  [1016, arrayOf(asNumber)],
  [1182, arrayOf(asIs)],
]);
export const columnTypes = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) || pg.types.getTypeParser(id, format as 'text'),
};
