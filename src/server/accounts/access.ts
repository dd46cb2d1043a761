/** What the key of a request allows: its kind, and the brands that it can see. */

import { BlockList, isIP } from 'node:net';
import { errors } from '../../contract/errors.js';
import { type KeyKind, type Plan, planAtLeast } from '../../contract/keys.js';
import { refuse } from '../base/errors.js';
import type { Db } from '../base/statement.js';
import { type BrandRow, brandAndDefault, brandState, type VisibleBrands } from './brands.js';

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
  /** The id of the link that stands for a key; absent: it is a key. */
  readonly shareId?: string;
  /** What a person is called who signed in by an OpenID provider; absent: it is a key. */
  readonly personName?: string;
  /** Of a grant: whether its key may run fact checks, and the grant may not; absent: no. */
  readonly factCheckNotGranted?: boolean;
}

/** Whoever has the key of the operator, or the database itself: sees every brand, from anywhere. */
export const OPERATOR: Access = {
  keyId: 'operator',
  kind: 'operator',
  workspaceId: null,
  workspaceName: null,
  plan: null,
  brandIds: null,
  expiresAt: null,
  allow: null,
};

/** 403 if the workspace's plan is too low. The operator has no workspace and no plan. */
export function requirePlan({ plan }: Access, minimum: Plan | undefined, subject: string): void {
  if (minimum && plan && !planAtLeast(plan, minimum)) throw refuse(errors.planTooLow(subject, minimum, plan));
}

/** The brands that the key can see, as bindings of queries. */
export const visibleBrands = ({ workspaceId, brandIds }: Access): VisibleBrands => ({
  workspaceId,
  brandIds,
});

// Decides whether a brand exists for a caller. No other code decides that.

/** A brand that the caller may see. */
export type Brand = Readonly<BrandRow>;

/** The brand of a request; `unknown`: the caller can see no brand with this id; `none`: the caller can see no brand. */
export type BrandAnswer = Brand | 'unknown' | 'none';

const NO_BRAND = 0;

/**
 * Finds the brand. No id means the oldest visible one. Foreign, nonexistent and malformed ids give the same result and
 * cost the same statements.
 */
export async function findBrand(db: Db, access: Access, brandId: string | undefined): Promise<BrandAnswer> {
  const storable = brandId?.includes('\u0000') ? '' : brandId;
  const rows = await brandAndDefault(db, { ...visibleBrands(access), brandId: storable ?? null });
  const oldest = rows.find((row) => !row.requested);
  if (!oldest) return 'none';
  const brand = brandId === undefined ? oldest : rows.find((row) => row.requested);
  const [state] = await brandState(db, { brandKey: brand?.key ?? NO_BRAND });
  return brand ? { ...brand, ...state! } : 'unknown';
}

/**
 * The brand of a request.
 * @throws RefusedError: no brands exist, or unknown brand; a brand that never had runs is unknown to a read that needs them.
 */
export function requireBrand(answer: BrandAnswer, needsRuns: boolean): Brand {
  if (answer === 'none') throw refuse(errors.noBrands());
  if (answer === 'unknown' || (needsRuns && !answer.hasRuns)) throw refuse(errors.unknownBrand());
  return answer;
}

// Whether an address is on a key's allowlist.

const MAPPED_V4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An address in the form that is compared and shown: v4-mapped v6 as v4, without port and zone. */
export function plainAddress(address: string): string {
  const unported = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return MAPPED_V4.exec(unported)?.[1] ?? unported.replace(/%.*$/, '');
}

/** Null allows every address. */
export function isAllowed(address: string, allow: readonly string[] | null): boolean {
  if (allow === null) return true;
  const family = familyOf(address);
  if (!family) return false;
  const ranges = new BlockList();
  for (const range of allow) addRange(ranges, range);
  return ranges.check(address, family);
}

function addRange(ranges: BlockList, range: string): void {
  const [written = '', bits] = range.split('/');
  const mapped = MAPPED_V4.exec(written)?.[1];
  const address = mapped ?? written;
  const family = familyOf(address);
  if (!family) return;
  if (bits === undefined) ranges.addAddress(address, family);
  else ranges.addSubnet(address, mapped ? Math.max(0, Number(bits) - 96) : Number(bits), family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const family = isIP(address);
  return family === 4 ? 'ipv4' : family === 6 ? 'ipv6' : undefined;
}

/** A brand as a key of its workspace would read it, for work of the server itself: it has what the plan has. */
export const accessOfPlan = (
  keyId: string,
  { id, workspaceId, plan }: { readonly id: string; readonly workspaceId: string; readonly plan: Plan },
): Access => ({
  keyId,
  kind: 'read',
  workspaceId,
  workspaceName: null,
  plan,
  brandIds: [id],
  expiresAt: null,
  allow: null,
});
