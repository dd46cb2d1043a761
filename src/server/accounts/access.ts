/** What the key of a request allows: its kind, and the brands that it can see. */
import type { KeyKind } from '../../contract/keys.js';
import type { Plan } from '../../contract/plans.js';
import type { VisibleBrands } from './brands.js';

export interface Access {
  /** The key's own id; `operator` for the operator key. */
  readonly keyId: string;
  readonly kind: KeyKind;
  /** Null: every workspace (the operator). */
  readonly workspaceId: string | null;
  /** For people; null for the operator. */
  readonly workspaceName: string | null;
  /** The workspace's plan; null for the operator, who has no workspace. */
  readonly plan: Plan | null;
  /** Null: every brand of the workspace. */
  readonly brandIds: readonly string[] | null;
  /** From this instant on the key is refused. */
  readonly expiresAt: Date | null;
  /** Addresses and CIDR ranges; null: from anywhere. */
  readonly allow: readonly string[] | null;
}

/** The brands that the key can see, as bindings of queries. */
export const visibleBrands = ({ workspaceId, brandIds }: Access): VisibleBrands => ({
  workspaceId,
  brandIds,
});
