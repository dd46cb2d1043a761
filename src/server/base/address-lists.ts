/** The address lists that verify crawlers: those of the package, or newer ones that were fetched into the database. */
import type { Knex } from 'knex';
import { type AddressList, type ListSource, shippedLists } from '../../logs/clients/lists.js';
import type { Clock } from './clock.js';
import { type Db, statement } from './statement.js';

interface FetchedList {
  readonly name: string;
  readonly created: string | null;
  readonly fetchedAt: Date;
  readonly prefixes: readonly string[];
}

const fetchedLists = statement<FetchedList, Record<string, never>>(
  'fetched_address_lists',
  'select name, created, fetched_at as "fetchedAt", prefixes from address_lists order by name',
);

const setAddressList = statement<
  never,
  { name: string; created: string | null; fetchedAt: Date; prefixes: string }
>(
  'set_address_list',
  `insert into address_lists (name, created, fetched_at, prefixes)
   values (:name, cast(:created as text), cast(:fetchedAt as timestamptz), cast(:prefixes as jsonb))
   on conflict (name) do update set
     created = excluded.created, fetched_at = excluded.fetched_at, prefixes = excluded.prefixes`,
);

/** Every list, the newer of both copies. */
export async function addressLists(db: Db): Promise<AddressList[]> {
  const fetched = new Map((await fetchedLists(db, {})).map((list) => [list.name, list]));
  return shippedLists.map((list) => {
    const newer = fetched.get(list.name);
    const checked = newer?.fetchedAt.toISOString().slice(0, 10) ?? null;
    if (!newer || checked === null || checked < (list.checked ?? '')) return list;
    return { ...list, created: newer.created, checked, prefixes: newer.prefixes };
  });
}

export const storeList = (
  db: Db,
  { name }: ListSource,
  { created, prefixes }: Pick<AddressList, 'created' | 'prefixes'>,
  fetchedAt: Date,
): Promise<never[]> => setAddressList(db, { name, created, fetchedAt, prefixes: JSON.stringify(prefixes) });

/** A server sees lists that another process fetched after this time at the latest. */
const KEPT_MS = 10_000;

/** The lists, read at most once in `KEPT_MS`. A failure is not kept. */
export function keptLists(db: Knex, clock: Clock): () => Promise<readonly AddressList[]> {
  let kept: { readonly at: number; readonly lists: Promise<readonly AddressList[]> } | undefined;
  return () => {
    const at = clock().getTime();
    if (kept && Math.abs(at - kept.at) < KEPT_MS) return kept.lists;
    const lists = addressLists(db).catch((error) => {
      kept = undefined;
      throw error;
    });
    kept = { at, lists };
    return lists;
  };
}
