/** Needs that people set aside for everybody of the workspace, and when one of them comes back by itself. */
import type { Knex } from 'knex';
import type { BrandReads, ReadParams } from '../../contract/brand-reads.js';
import { errors } from '../../contract/errors.js';
import { keyKinds } from '../../contract/keys.js';
import type { BareNeed } from '../../contract/needs.js';
import type { AsideNeed, AsideReason, NeedFacts, NeedKind } from '../../contract/reads/briefing.js';
import type { Access, Brand } from '../accounts/access.js';
import { bumpStoredVersion, bumpVersion, holdBrand } from '../accounts/brands.js';
import { daysIn, utcDay, type Window } from '../base/days.js';
import { refuse } from '../base/errors.js';
import { statement } from '../base/statement.js';

/** The facts of a need by which it is recognised as the one that was set aside. */
interface Remembered {
  /** Facts that are names, days or texts. */
  readonly names: readonly string[];
  /** What it amounts to; null: its amount says nothing. */
  readonly amount: number | null;
}

interface StoredAside {
  id: string;
  reason: AsideReason;
  facts: Remembered;
  setAt: Date;
  /** The key that set it aside. */
  keyId: string;
}

/** The needs of a brand that are set aside, the oldest first. */
export const needsAside = statement<StoredAside, { brandKey: number }>(
  'needs_aside',
  `select id, reason, facts, set_at as "setAt", key_id as "keyId" from needs_aside
   where brand_key = :brandKey order by set_at, id`,
);

const storeAside = statement<never, Omit<StoredAside, 'facts'> & { brandKey: number; facts: string }>(
  'store_need_aside',
  `insert into needs_aside (brand_key, id, reason, facts, set_at, key_id)
   values (:brandKey, :id, :reason, cast(:facts as jsonb), :setAt, :keyId)
   on conflict (brand_key, id) do update set reason = excluded.reason, facts = excluded.facts,
     set_at = excluded.set_at, key_id = excluded.key_id`,
);

const deleteAside = statement<{ id: string }, { brandKey: number; id: string }>(
  'delete_need_aside',
  'delete from needs_aside where brand_key = :brandKey and id = :id returning id',
);

// When a need comes back.

type Named = (facts: NeedFacts) => readonly (string | null)[];
type Amount = (facts: NeedFacts, worth: number | null, days: number) => number | null;

const count: Amount = ({ count }) => count;
/** A longer window has more answers of the same. */
const answersPerDay: Amount = (_, worth, days) => (worth === null ? null : worth / days);

/** What is remembered of each kind besides its id. */
const remembered: { readonly [K in NeedKind]: { readonly names?: Named; readonly amount?: Amount } } = {
  collection_failed: { names: ({ fault, since }) => [fault?.remedy ?? null, since] },
  collection_stalled: { names: ({ since }) => [since] },
  bad_news: {},
  wrong_fact: { names: ({ truth }) => [truth] },
  metric_fell: { names: ({ metrics }) => (metrics ?? []).map(({ metric }) => metric) },
  path_closed: { names: ({ crawlers }) => crawlers ?? [] },
  crawlers_refused: { names: ({ crawlers }) => crawlers ?? [], amount: ({ refused }) => refused },
  engine_never_names: {},
  never_named_prompts: { amount: count },
  within_reach: { amount: count },
  source_to_win: { amount: answersPerDay },
  bad_tone: { amount: answersPerDay },
  pages_lost: { amount: count },
  pages_refused: { amount: count },
  logs_silent: { names: ({ since }) => [since] },
  facts_stale: { names: ({ since }) => [since] },
};

/** Kinds that compare a window with the one before: of later days it is another fall. */
const FALLS: ReadonlySet<NeedKind> = new Set(['metric_fell', 'pages_lost']);

/** A need comes back if its amount has grown to so many times what it was. */
export const GROWN = 3;

const rememberedOf = ({ kind, facts, worth }: BareNeed, window: Window): Remembered => {
  const { names, amount } = remembered[kind];
  return {
    names: (names?.(facts) ?? []).map((name) => name ?? ''),
    amount: amount?.(facts, worth, daysIn(window)) ?? null,
  };
};

/**
 * Whether what was set aside is still the same.
 *
 * A need that has a name, a day or a text that it had not is another one: a new crawler is kept out, a check of facts has
 * become old again. An amount says so only once it is three times as large: the answers of each day are a sample, small
 * amounts double by chance, and what is set aside would come back every day. An amount that has become smaller needs nobody.
 *
 * A fall is of its days, and what was done must show in the answers after it: once all days of the window are later than the
 * day on which it was set aside, a fall is another one, and what was done has not helped.
 */
function isSame(need: BareNeed, { reason, facts, setAt }: StoredAside, window: Window): boolean {
  const isOfItsDays = reason === 'done' || FALLS.has(need.kind);
  if (isOfItsDays && window.start > utcDay(setAt)) return false;
  const { names, amount } = rememberedOf(need, window);
  return (
    names.every((name) => facts.names.includes(name)) &&
    (amount === null || facts.amount === null || amount < GROWN * facts.amount)
  );
}

/** The entry by which a need of the window is set aside; undefined: it is not, or it has come back. */
export function asideIn(
  stored: readonly StoredAside[],
  window: Window,
): (need: BareNeed) => Omit<AsideNeed, 'need'> | undefined {
  const byId = new Map(stored.map((each) => [each.id, each]));
  return (need) => {
    const found = byId.get(need.id);
    return found && isSame(need, found, window)
      ? { reason: found.reason, since: utcDay(found.setAt) }
      : undefined;
  };
}

// Setting aside and bringing back.

/** Who changes the needs of which brand. */
export interface NeedEditor {
  readonly access: Access;
  /** A brand that this access can see. */
  readonly brand: Pick<Brand, 'key' | 'id'>;
}

interface WantedAside {
  readonly id: string;
  readonly reason: AsideReason;
  /** The days and filters that the person looks at; if omitted, those of a briefing without any. */
  readonly params?: ReadParams;
}

/**
 * Sets a need aside, with the facts that the briefing has of it now. One that is aside already gets the reason and facts anew.
 * @param reads The reads of the brand for the same access.
 * @throws 403 for a key that may only read and for a viewer of a link, 404 if the briefing has no need of this id.
 */
export async function setNeedAside(
  db: Knex,
  { access, brand, reads }: NeedEditor & { readonly reads: BrandReads },
  { id, reason, params = {} }: WantedAside,
  now: Date,
): Promise<AsideNeed> {
  requireEditor(access);
  const { needs, aside, window } = await reads.load('briefing', params);
  const known = [...needs, ...aside.map((each) => each.need)];
  const need = known.find((each) => each.id === id);
  if (!need)
    throw refuse(
      errors.unknownNeed(
        id,
        known.map((each) => each.id),
      ),
    );
  const facts = JSON.stringify(rememberedOf(need as BareNeed, window));
  const row = { brandKey: brand.key, id, reason, facts, setAt: now, keyId: access.keyId };
  await changing(db, brand, (trx) => storeAside(trx, row));
  return { need, reason, since: utcDay(now) };
}

/**
 * Brings a need back that was set aside.
 * @throws 403 as `setNeedAside`, 404 if no need of this id is aside.
 */
export async function bringNeedBack(db: Knex, { access, brand }: NeedEditor, id: string): Promise<void> {
  requireEditor(access);
  const brandKey = brand.key;
  await changing(db, brand, async (trx) => {
    const [deleted] = id.includes('\u0000') ? [] : await deleteAside(trx, { brandKey, id });
    if (deleted) return;
    const others = await needsAside(trx, { brandKey });
    throw refuse(
      errors.unknownNeed(
        id,
        others.map((each) => each.id),
      ),
    );
  });
}

function requireEditor({ kind, shareId }: Access): void {
  if (shareId !== undefined || !keyKinds[kind].setsAside) throw refuse(errors.mayNotSetAside(kind));
}

/** A change of what is aside, which every cache sees. */
const changing = (db: Knex, { id }: NeedEditor['brand'], work: (trx: Knex.Transaction) => Promise<unknown>) =>
  db.transaction(async (trx) => {
    const [held] = await holdBrand(trx, { id });
    await work(trx);
    if (!held) return;
    await bumpVersion(trx, held);
    await bumpStoredVersion(trx, held);
  });
