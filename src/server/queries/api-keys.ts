import type { StoredKeyKind } from '../../contract/keys.js';
import type { Plan } from '../../contract/plans.js';
import { statement } from './statement.js';

export interface KeyRow {
  id: string;
  workspaceId: string;
  kind: StoredKeyKind;
  name: string | null;
  /** The first characters of the key, shown to identify it. */
  display: string;
  brandIds: string[] | null;
  expiresAt: Date | null;
  allow: string[] | null;
  createdAt: Date;
  revokedAt: Date | null;
}

const columns = `k.id, k.workspace_id as "workspaceId", k.kind, k.name, k.display, k.brand_ids as "brandIds",
  k.expires_at as "expiresAt", k.allow, k.created_at as "createdAt", k.revoked_at as "revokedAt"`;

/** The keys with these secrets and the plans of their workspaces; no row: unknown or revoked. Hashes are in hex. */
export const keysBySecret = statement<
  KeyRow & { plan: Plan; workspaceName: string; secretHash: string },
  { hashes: readonly string[] }
>(
  'keys_by_secret',
  `select encode(k.secret_hash, 'hex') as "secretHash", ${columns}, w.plan, w.name as "workspaceName"
   from api_keys k join workspaces w on w.id = k.workspace_id
   where k.secret_hash in (select decode(h.hash, 'hex') from unnest(cast(:hashes as text[])) as h(hash))
     and k.revoked_at is null`,
);

/** Every key, oldest first. */
export const listKeys = statement<KeyRow, Record<string, never>>(
  'list_keys',
  `select ${columns} from api_keys k order by k.created_at, k.id`,
);

export const insertKey = statement<
  never,
  {
    id: string;
    workspaceId: string;
    kind: StoredKeyKind;
    name: string | null;
    secretHash: Buffer;
    display: string;
    brandIds: readonly string[] | null;
    expiresAt: Date | null;
    allow: readonly string[] | null;
    createdAt: Date;
  }
>(
  'insert_key',
  `insert into api_keys (id, workspace_id, kind, name, secret_hash, display, brand_ids, expires_at, allow, created_at)
   values (:id, :workspaceId, :kind, :name, :secretHash, :display, :brandIds, :expiresAt, :allow, :createdAt)`,
);

/** Revokes a key; no row: no unrevoked key has this id. */
export const revokeKey = statement<{ id: string }, { id: string; now: Date }>(
  'revoke_key',
  'update api_keys set revoked_at = :now where id = :id and revoked_at is null returning id',
);
