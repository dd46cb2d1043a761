/**
 * Caches for one second the access of a key and the brand of a request. A cached read then needs no query, and every
 * server sees a revoked key, a new brand or new data within that second.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import type { Access } from './access.js';
import { type BrandAnswer, findBrand } from './find-brand.js';
import { hashSecret, keysBySecret } from './keys.js';
import { refreshedTogether } from './refreshed-together.js';

/** How long keys and brands are kept. With the resolution below it is less than a second. */
export const REMEMBER_MS = 900;
/** How often the cache reads the time: an entry may be used so much longer. At the default of 1 ms it starts a timer for nearly every request. */
const TTL_RESOLUTION_MS = 100;

/** Returns cached values without a promise, because each promise costs a cached read about as much as a gate. */
export interface Directory {
  /**
   * The access of the key with this secret; null: unknown key.
   * @param onLookUp Called before a key is looked up that is not in use.
   */
  identify(secret: string, onLookUp?: () => void): Promise<Access | null> | Access | null;
  /** As `identify`, by the SHA-256 of the secret. */
  identifyHash(secretHash: Buffer, onLookUp?: () => void): Promise<Access | null> | Access | null;
  /** The brand of a request. No id means the oldest visible brand. */
  brand(access: Access, brandId: string | undefined): Promise<BrandAnswer> | BrandAnswer;
  /** Clears the cache, after a change by this process. */
  forget(): void;
}

/** `operatorKey` is the value of API_ACCESS_KEY. */
export function createDirectory(db: Knex, operatorKey: string): Directory {
  const operatorHash = hashSecret(operatorKey);
  const accessBy = (hashOf: (text: string) => Buffer) =>
    refreshedTogether((texts) => lookUp(db, texts, hashOf, operatorHash), REMEMBER_MS);
  const keys = accessBy(hashSecret);
  const hashes = accessBy((hex) => Buffer.from(hex, 'hex'));
  const brands = new LRUCache<string, { answer: BrandAnswer }, BrandRequest>({
    max: 10_000,
    ttl: REMEMBER_MS,
    ttlResolution: TTL_RESOLUTION_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (_, __, { context: { access, brandId } }) => ({
      answer: await findBrand(db, access, brandId),
    }),
  });
  return {
    identify: (secret, onLookUp) => keys.get(secret, onLookUp),
    identifyHash: (secretHash, onLookUp) => hashes.get(secretHash.toString('hex'), onLookUp),
    brand: (access, given) => {
      const brandId = given !== undefined && given.length > LONGEST_ID ? '' : given;
      const name = nameOf(access, brandId);
      // `get` first, because `forceFetch` creates promises and timers even for a cached value.
      const cached = brands.get(name);
      if (cached) return cached.answer;
      return brands.forceFetch(name, { context: { access, brandId } }).then(({ answer }) => answer);
    },
    forget: () => {
      keys.clear();
      hashes.clear();
      brands.clear();
    },
  };
}

interface BrandRequest {
  readonly access: Access;
  readonly brandId: string | undefined;
}

/** The longest id. A longer one is looked up as the empty id, which no brand has. */
const LONGEST_ID = 64;

/** What the answer depends on: the brands that a key can see, which are the same for most keys of a workspace, and the id. */
const nameOf = ({ workspaceId, brandIds }: Access, brandId: string | undefined): string =>
  JSON.stringify([workspaceId, brandIds, brandId]);

const OPERATOR: Access = {
  keyId: 'operator',
  kind: 'operator',
  workspaceId: null,
  workspaceName: null,
  plan: null,
  brandIds: null,
  expiresAt: null,
  allow: null,
};

/** The accesses of known keys by the texts, of which `hashOf` makes hashes of secrets. */
async function lookUp(
  db: Knex,
  texts: readonly string[],
  hashOf: (text: string) => Buffer,
  operatorHash: Buffer,
): Promise<Map<string, Access>> {
  const accesses = new Map<string, Access>();
  const textOf = new Map<string, string>();
  for (const text of texts) {
    const secretHash = hashOf(text);
    if (timingSafeEqual(secretHash, operatorHash)) accesses.set(text, OPERATOR);
    else textOf.set(secretHash.toString('hex'), text);
  }
  if (textOf.size === 0) return accesses;
  for (const row of await keysBySecret(db, { hashes: [...textOf.keys()] })) {
    const { id, kind, workspaceId, workspaceName, plan, brandIds, expiresAt, allow } = row;
    const access = { keyId: id, kind, workspaceId, workspaceName, plan, brandIds, expiresAt, allow };
    accesses.set(textOf.get(row.secretHash)!, access);
  }
  return accesses;
}
