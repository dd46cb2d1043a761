import type { Knex } from 'knex';
import { statement } from '../../base/statement.js';

export const brandKeys = statement<{ key: number; id: string }, Record<string, never>>(
  'brand_keys',
  'select brand_key as key, id from brands order by id',
);

/** Ensures that a brand has the row that serialises its imports. */
export const ensureImportLock = statement<never, { brandKey: number }>(
  'ensure_import_lock',
  'insert into import_locks (brand_key) values (:brandKey) on conflict do nothing',
);

const holdImports = statement<{ held: boolean }, { brandKey: number }>(
  'hold_imports',
  'select true as held from import_locks where brand_key = :brandKey for update',
);

/** Like `lockImports` without waiting. Returns no row if another transaction holds the lock. */
export const tryHoldImports = statement<{ held: boolean }, { brandKey: number }>(
  'try_hold_imports',
  'select true as held from import_locks where brand_key = :brandKey for update skip locked',
);

/** Waits for running imports of the brand, and makes new ones wait until the transaction ends. */
export async function lockImports(trx: Knex.Transaction, brandKey: number): Promise<void> {
  await ensureImportLock(trx, { brandKey });
  await holdImports(trx, { brandKey });
}
