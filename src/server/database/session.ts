/** What every connection has in common. */
import type pg from 'pg';

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
