/** Who is asking, after their key: what it may do and which brands it can see. */
import type { KeyKind } from '../../contract/keys.js';
import type { Plan } from '../../contract/plans.js';

export interface Access {
  /** The key's own id; `operator` for the operator key. */
  readonly keyId: string;
  readonly kind: KeyKind;
  /** Null: every workspace (the operator). */
  readonly workspaceId: string | null;
  /** The workspace's plan; null for the operator, who is in none. */
  readonly plan: Plan | null;
  /** Null: every brand of the workspace. */
  readonly brandIds: readonly string[] | null;
  /** From this instant on the key is refused. */
  readonly expiresAt: Date | null;
  /** Addresses and CIDR ranges; null: from anywhere. */
  readonly allow: readonly string[] | null;
}

/** The bindings by which queries see what the key sees. */
export const scopeOf = ({ workspaceId, brandIds }: Access) => ({ workspaceId, brandIds });
