import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/server/database/database.js';

/** Resolves once a connection of the same database waits for a lock. */
export async function awaitedLock({ knex }: Database): Promise<void> {
  const waiting = `select 1 from pg_locks l join pg_database d on d.oid = l.database
    where not l.granted and d.datname = current_database()`;
  while ((await knex.raw(waiting)).rows.length === 0) await sleep(20);
}
