/**
 * Caches for one second the access of a key and the brand of a request. A cached read then needs no query, and every
 * server sees a revoked key, a new brand or new data within that second.
 */

import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { type Stopwatch, systemStopwatch } from '../base/clock.js';
import { type Access, type BrandAnswer, findBrand, OPERATOR } from './access.js';
import { hashSecret, keysBySecret } from './keys.js';
import type { PeopleLookUp } from './people.js';

// Keeps values for a short time, and looks up those in use together when it is over. With a statement for each value, a cached
// read of a server with 20,000 keys is +16 %.

/** Looks up values by name. A name that is absent from the result has none. */
type LookUp<V> = (names: readonly string[]) => Promise<ReadonlyMap<string, V>>;

interface Refreshed<V> {
  /**
   * The value of a name, null without one.
   * @param onLookUp Called before a name is looked up that nobody asks for.
   */
  get(name: string, onLookUp?: () => void): Promise<V | null>;
  /** Forgets the value of a name, also one that is being looked up. */
  forget(name: string): void;
  clear(): void;
}

/** Rows under the hashes of their tokens, each with the hash of its key's secret as bytes. */
export const byTokenHash = <R extends { readonly tokenHash: string; readonly secretHash: string }>(
  rows: readonly R[],
) =>
  new Map(
    rows.map(({ tokenHash, secretHash, ...row }) => [
      tokenHash,
      { ...row, secretHash: Buffer.from(secretHash, 'hex') },
    ]),
  );

/**
 * @param lookUp Concurrent requests for a name share one. A failure is the answer to them, and is not kept.
 * @param milliseconds How long values are kept, from a common beginning.
 */
export function batchedRefresh<V>(lookUp: LookUp<V>, milliseconds: number, elapsed: Stopwatch): Refreshed<V> {
  let end = Number.NEGATIVE_INFINITY;
  let values = new Map<string, V | null>();
  /** The names that were requested since the beginning. */
  let used = new Set<string>();
  let pending = new Map<string, ReturnType<LookUp<V>>>();
  /** What is looked up together once the statement before has ended. */
  let next: { readonly names: string[]; readonly found: ReturnType<LookUp<V>> } | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** Looks up a name together with those that are asked for while a statement runs, so that guesses take one connection. */
  function gather(name: string): ReturnType<LookUp<V>> {
    if (next === null) {
      const names: string[] = [];
      const begin = () => {
        if (next?.names === names) next = null;
        return lookUp(names);
      };
      next = { names, found: load(names, last.then(begin)) };
      last = next.found.catch(() => undefined);
    }
    next.names.push(name);
    pending.set(name, next.found);
    return next.found;
  }

  function load(names: readonly string[], found = lookUp(names)): ReturnType<LookUp<V>> {
    const begun = pending;
    for (const name of names) begun.set(name, found);
    const settle = (keep: (name: string) => void) => {
      // After `forget` and `clear` the values may be old.
      const wanted = names.filter((name) => begun.get(name) === found);
      for (const name of wanted) begun.delete(name);
      if (begun === pending) wanted.forEach(keep);
    };
    found.then(
      (all) => settle((name) => values.set(name, all.get(name) ?? null)),
      () => settle(() => undefined),
    );
    return found;
  }

  /** Looks up the values that were used again. Names without a value are not: they may be guesses. */
  function refresh(now: number): void {
    const names = [...used].filter((name) => values.get(name) && !pending.has(name));
    end = now + milliseconds;
    values = new Map();
    used = new Set();
    if (names.length > 0) load(names);
  }

  return {
    async get(name, onLookUp) {
      const now = elapsed();
      if (now >= end) refresh(now);
      const value = values.get(name);
      if (value === undefined && !pending.has(name)) onLookUp?.();
      used.add(name);
      if (value !== undefined) return value;
      const found = await (pending.get(name) ?? gather(name));
      return found.get(name) ?? null;
    },
    forget(name) {
      values.delete(name);
      pending.delete(name);
    },
    clear() {
      end = Number.NEGATIVE_INFINITY;
      values = new Map();
      used = new Set();
      pending = new Map();
      next = null;
    },
  };
}

/** How long keys and brands are kept: less than a second. */
export const REMEMBER_MS = 900;

export interface Directory {
  /**
   * The access of the key with this secret; null: unknown key.
   * @param onLookUp Called before a key is looked up that is not in use.
   */
  identify(secret: string, onLookUp?: () => void): Promise<Access | null>;
  /** As `identify`, by the SHA-256 of the secret, or by the hash of a person. */
  identifyHash(secretHash: Buffer, onLookUp?: () => void): Promise<Access | null>;
  /** The brand of a request. No id means the oldest visible brand. */
  brand(access: Access, brandId: string | undefined): Promise<BrandAnswer>;
  /** Clears the cache, after a change by this process. */
  forget(): void;
}

/** @param operatorKey The value of API_ACCESS_KEY. @param people Looks up people, whose hashes no secret has; if omitted, there are none. */
export function createDirectory(
  db: Knex,
  operatorKey: string,
  elapsed: Stopwatch = systemStopwatch,
  people?: PeopleLookUp,
): Directory {
  const operatorHash = hashSecret(operatorKey);
  const keys = batchedRefresh((texts) => lookUp(db, texts, hashSecret, operatorHash), REMEMBER_MS, elapsed);
  const byHash = async (hashes: readonly string[]) => {
    const found = await lookUp(db, hashes, (hex) => Buffer.from(hex, 'hex'), operatorHash);
    const others = hashes.filter((hash) => !found.has(hash));
    if (people && others.length > 0)
      for (const [hash, access] of await people(db, others)) found.set(hash, access);
    return found;
  };
  const hashes = batchedRefresh(byHash, REMEMBER_MS, elapsed);
  const brands = new LRUCache<string, { answer: BrandAnswer }, BrandRequest>({
    max: 10_000,
    ttl: REMEMBER_MS,
    perf: { now: elapsed },
    ttlResolution: 0,
    ignoreFetchAbort: true,
    fetchMethod: async (_, __, { context: { access, brandId } }) => ({
      answer: await findBrand(db, access, brandId),
    }),
  });
  return {
    identify: (secret, onLookUp) => keys.get(secret, onLookUp),
    identifyHash: (secretHash, onLookUp) => hashes.get(secretHash.toString('hex'), onLookUp),
    brand: async (access, id) => {
      const brandId = id !== undefined && id.length > MAX_ID_LENGTH ? '' : id;
      const name = nameOf(access, brandId);
      // `get` first, because `forceFetch` creates promises and timers even for a cached value.
      const { answer } =
        brands.get(name) ?? (await brands.forceFetch(name, { context: { access, brandId } }));
      return answer;
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

/** A longer id is looked up as the empty one, which no brand has. */
const MAX_ID_LENGTH = 64;

/** What the answer depends on: the brands that a key can see, which are the same for most keys of a workspace, and the id. */
const nameOf = ({ workspaceId, brandIds }: Access, brandId: string | undefined): string =>
  JSON.stringify([workspaceId, brandIds, brandId]);

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
