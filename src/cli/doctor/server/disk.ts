import type { Knex } from 'knex';
import { type Check, failure, ok, warning } from '../check.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;
/** Below this an import may fail half-way, and it is rolled back. */
const LOW_BYTES = 2 * GIB;
/** Below this the database may stop. */
const NONE_BYTES = 100 * MIB;

/**
 * The size of the database and the free space of its disk, if that is a disk of this machine.
 * @param folder Of the embedded database; undefined: a server.
 */
export async function checkDisk(db: Knex, folder: string | undefined): Promise<Check> {
  const { bytesInWords, freeBytes } = await import('../../../server/database/disk-space.js');
  const { rows } = await db.raw('select pg_database_size(current_database()) as bytes');
  const size = `The database has ${bytesInWords(Number(rows[0].bytes))}`;
  const place = folder ?? (await localDataFolder(db));
  const free = place === undefined ? undefined : await freeBytes(place);
  if (free === undefined)
    return ok('disk', `${size}. The free space of its server is not visible from here.`);
  return freeCheck(`${size}; ${bytesInWords(free)} are free in ${place}.`, free);
}

/** The check of a disk with so many free bytes. */
export function freeCheck(finding: string, free: number): Check {
  if (free < NONE_BYTES)
    return failure('disk', finding, 'Free space now: `svc admin prune` deletes old runs.');
  return free < LOW_BYTES
    ? warning('disk', finding, 'Free space: `svc admin prune` deletes old runs.')
    : ok('disk', finding);
}

/** The data folder of a server that is connected to by a socket of this machine; undefined: not visible. */
async function localDataFolder(db: Knex): Promise<string | undefined> {
  try {
    const { rows } = await db.raw(
      "select inet_server_addr() is null as local, current_setting('data_directory') as folder",
    );
    return rows[0].local ? rows[0].folder : undefined;
  } catch {
    // Only some roles may see the setting.
    return undefined;
  }
}
