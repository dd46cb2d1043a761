/** What every connection has in common. */
import pg from 'pg';

// Parses the columns of a result, on either database.

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

export const ACQUIRE_TIMEOUT_MS = 5000;

/** Silences knex, which otherwise prints errors to standard output besides throwing them. */
const nothing = (): void => {};
export const silentLog = { warn: nothing, error: nothing, deprecate: nothing, debug: nothing };

export type Done = (error: Error | null, connection: pg.Client) => void;

/** Sets UTC, and disables just-in-time compilation, which costs more than any of our queries. */
export function prepareSession(connection: pg.Client, done: Done): void {
  connection.query("set time zone 'UTC'; set jit = off").then(
    () => done(null, connection),
    (error: Error) => done(error, connection),
  );
}
