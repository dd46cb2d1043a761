/** What a key may do: by its kind, and by the plan of its workspace. */

/** The operator key is not stored: it is the value of API_ACCESS_KEY. */
export const keyKinds = {
  full: { reads: true, ingest: true, factCheck: true, setsAside: true, changesPlan: true, feed: false },
  read: { reads: true, ingest: false, factCheck: false, setsAside: false, changesPlan: false, feed: false },
  ingest: { reads: false, ingest: true, factCheck: false, setsAside: false, changesPlan: false, feed: false },
  /** It stands in the address of a feed, where others may see it. */
  feed: { reads: false, ingest: false, factCheck: false, setsAside: false, changesPlan: false, feed: true },
  operator: { reads: true, ingest: true, factCheck: true, setsAside: true, changesPlan: true, feed: false },
} as const;

/** What a request needs of its key, and the bucket that it uses: reads and MCP share one. */
export type Lane = 'reads' | 'ingest';
/** What a request may need of its key; a feed uses the bucket of reads. */
export type KeyUse = Lane | 'feed';

export type KeyKind = keyof typeof keyKinds;
export const keyKindNames = Object.keys(keyKinds) as KeyKind[];
/** The kinds that can be created and stored. */
export type StoredKeyKind = Exclude<KeyKind, 'operator'>;
export const storedKeyKinds = ['full', 'read', 'ingest', 'feed'] as const satisfies readonly StoredKeyKind[];

/** Every key begins with this, then 43 base62 characters (256 bits). */
export const KEY_PREFIX = 'svc_';

/** Plan tiers in rising order. */
export const plans = ['trial', 'starter', 'growth', 'enterprise'] as const;
export type Plan = (typeof plans)[number];

/** The display name of a plan: `Growth`. */
export const planLabel = (plan: Plan): string => plan.charAt(0).toUpperCase() + plan.slice(1);

/** Whether the plan is the minimum or a higher one. */
export const planAtLeast = (plan: Plan, minimum: Plan): boolean =>
  plans.indexOf(plan) >= plans.indexOf(minimum);
