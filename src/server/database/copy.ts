/** COPY into a table, the fastest way to load rows, on either database. */
import { finished } from 'node:stream/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { Knex } from 'knex';
import type pg from 'pg';
import { from } from 'pg-copy-streams';

/** The embedded database behind a connection of its driver, which cannot stream to it. */
const embedded = new WeakMap<object, PGlite>();

/** Notes that this connection is one to an embedded database. */
export function noteEmbedded(connection: object, pglite: PGlite): void {
  embedded.set(connection, pglite);
}

export const isEmbedded = (connection: object): boolean => embedded.has(connection);

/**
 * Loads rows in the text format of COPY. Listeners to the queries of the pool see the statement too.
 * @param target A table with its columns: `lines (number, text)`.
 */
export async function copyInto(
  trx: Knex.Transaction,
  target: string,
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return;
  const data = Buffer.from(`${rows.join('\n')}\n`);
  const connection: pg.Client = await trx.client.acquireConnection();
  trx.client.emit('query', { sql: `copy ${target} from stdin`, bindings: [] });
  const pglite = embedded.get(connection);
  if (pglite) {
    await new Promise(setImmediate);
    try {
      await pglite.exec(`copy ${target} from '/dev/blob'`, { blob: new Blob([data]) });
    } catch (error) {
      trx.client.emit('query-error', error, {});
      throw error;
    }
    return;
  }
  const stream = connection.query(from(`copy ${target} from stdin`));
  stream.end(data);
  await finished(stream);
}

/** A value of a column: null, an array of numbers or texts, or a scalar. Times and bytes are texts. */
export type CopyValue = string | number | boolean | null | readonly (string | number | null)[];

const SPECIAL = /[\\\n\r\t]/;
const EVERY_SPECIAL = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string =>
  SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, (character) => ESCAPES[character]!) : text;

/** One row in the text format of COPY, without its line end. */
export const copyRow = (values: readonly CopyValue[]): string => values.map(copyValue).join('\t');

function copyValue(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (typeof value !== 'object') return String(value);
  return `{${value.map(element).join(',')}}`;
}

const QUOTED = /["\\]/;
const EVERY_QUOTED = /["\\]/g;

function element(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  return escaped(`"${QUOTED.test(value) ? value.replace(EVERY_QUOTED, '\\$&') : value}"`);
}
