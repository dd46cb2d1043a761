/**
 * Who a key belongs to and which brand a request means, remembered for a second: a cached read then asks the
 * database nothing, and a revoked key, a new brand or new data is seen within that second on every server.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { keyBySecret } from '../queries/api-keys.js';
import type { Access } from './access.js';
import { type BrandAnswer, findBrand } from './brand-scope.js';
import { hashSecret } from './keys.js';

const REMEMBER_MS = 1000;

export interface Directory {
  /** Whose key this is; null: nobody's. */
  identify(secret: string): Promise<Access | null>;
  /** The brand that a caller means; no id: the oldest in scope. */
  brand(access: Access, brandId: string | undefined): Promise<BrandAnswer>;
  /** Forgets everything, after a change by this process. */
  forget(): void;
}

/** `operatorKey` is the value of API_ACCESS_KEY. */
export function createDirectory(db: Knex, operatorKey: string): Directory {
  const operatorHash = hashSecret(operatorKey);
  const keys = new LRUCache<string, { access: Access | null }>({
    max: 10_000,
    ttl: REMEMBER_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (secret) => ({ access: await lookUp(db, secret, operatorHash) }),
  });
  const brands = new LRUCache<string, { answer: BrandAnswer }, Access>({
    max: 10_000,
    ttl: REMEMBER_MS,
    ignoreFetchAbort: true,
    fetchMethod: async (name, _, { context }) => ({ answer: await findBrand(db, context, brandIdOf(name)) }),
  });
  return {
    // A look at what is there first: `forceFetch` makes promises and timers even for that.
    identify: async (secret) => (keys.get(secret) ?? (await keys.forceFetch(secret))).access,
    brand: async (access, brandId) => {
      const name = nameOf(access, brandId);
      return (brands.get(name) ?? (await brands.forceFetch(name, { context: access }))).answer;
    },
    forget: () => {
      keys.clear();
      brands.clear();
    },
  };
}

/** No id is longer than this; what is longer is looked up as the empty id, which no brand has. */
const LONGEST_ID = 64;

function nameOf({ keyId }: Access, brandId: string | undefined): string {
  if (brandId === undefined) return keyId;
  return `${keyId}\n${brandId.length > LONGEST_ID ? '' : brandId}`;
}

function brandIdOf(name: string): string | undefined {
  const cut = name.indexOf('\n');
  return cut < 0 ? undefined : name.slice(cut + 1);
}

const OPERATOR: Access = {
  keyId: 'operator',
  kind: 'operator',
  workspaceId: null,
  plan: null,
  brandIds: null,
  expiresAt: null,
  allow: null,
};

async function lookUp(db: Knex, secret: string, operatorHash: Buffer): Promise<Access | null> {
  const secretHash = hashSecret(secret);
  if (timingSafeEqual(secretHash, operatorHash)) return OPERATOR;
  const [row] = await keyBySecret(db, { secretHash });
  if (!row) return null;
  const { id, kind, workspaceId, plan, brandIds, expiresAt, allow } = row;
  return { keyId: id, kind, workspaceId, plan, brandIds, expiresAt, allow };
}
