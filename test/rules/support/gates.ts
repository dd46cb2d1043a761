/** Requests with every combination of faults, for tests of the order in which gates refuse them. */
import type { NewKey } from '../../../src/server/accounts/keys.js';
import type { TestServer } from '../../support/server.js';
import { NOW } from './records.js';

/** Faults of a key that exists, in the order of their gates. */
export const keyFaults = ['expired', 'address', 'empty bucket', 'kind'] as const;

/** Status and words of the faults of a key. */
export const keyRefusals = {
  'missing key': [401, 'Unauthorized'],
  'unknown key': [401, 'Unauthorized'],
  expired: [401, 'This API key expired on 2026-11-19.'],
  address: [403, 'This API key may not be used from 127.0.0.1.'],
  'empty bucket': [429, 'Rate limit exceeded: 120 requests per minute per API key. Retry after 1s.'],
  kind: [403, 'This API key is ingest-only: it may call POST /api/v1/crawler-events and nothing else.'],
} as const satisfies Record<string, [status: number, error: string]>;

export const subsets = <T>(of: readonly T[]): T[][] =>
  of.reduce<T[][]>((all, each) => all.concat(all.map((set) => set.concat(each))), [[]]);

/** A key with some faults, and the bucket of its reads. */
export async function keyWith(server: TestServer, faults: readonly string[] = []) {
  const wanted: NewKey = {
    workspace: 'w',
    kind: faults.includes('kind') ? 'ingest' : 'full',
    expires: faults.includes('expired') ? '2026-11-19' : undefined,
    allow: faults.includes('address') ? ['203.0.113.0/24'] : undefined,
  };
  const key = await server.key(wanted);
  const db = server.database.knex;
  const { rows } = await db.raw('select id from api_keys where display = ?', [key.slice(0, 12)]);
  const bucket = `reads:${rows[0].id}`;
  return {
    key,
    setTokens: (tokens: number) =>
      db.raw(
        `insert into rate_buckets (bucket, tokens, at, granted) values (:bucket, :tokens, :at, true)
         on conflict (bucket) do update set tokens = excluded.tokens, at = excluded.at`,
        { bucket, tokens, at: NOW.getTime() / 1000 },
      ),
    tokens: async (): Promise<number> =>
      (await db.raw('select tokens from rate_buckets where bucket = ?', [bucket])).rows[0].tokens,
  };
}
