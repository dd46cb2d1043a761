import { statement } from './statement.js';

/** Every brand, by id. */
export const brandKeys = statement<{ key: number; id: string }, Record<string, never>>(
  'brand_keys',
  'select brand_key as key, id from brands order by id',
);

/** Makes sure that a brand has the row that serialises its imports. */
export const knowImportLock = statement<never, { brandKey: number }>(
  'know_import_lock',
  'insert into import_locks (brand_key) values (:brandKey) on conflict do nothing',
);

/** Waits for imports of the brand, and holds new ones back until the transaction ends. */
export const holdImports = statement<{ held: boolean }, { brandKey: number }>(
  'hold_imports',
  'select true as held from import_locks where brand_key = :brandKey for update',
);

/** The same without waiting; no row: somebody else holds it. */
export const tryHoldImports = statement<{ held: boolean }, { brandKey: number }>(
  'try_hold_imports',
  'select true as held from import_locks where brand_key = :brandKey for update skip locked',
);
