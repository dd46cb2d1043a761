/**
 * The collections of a brand, a row for each UTC day: planned, begun, ended or missed. The row of a day names the journal
 * that has its calls, and no other journal may send more of them.
 */

import type { Knex } from 'knex';
import type { CollectionFault, Remedy } from '../../contract/collection.js';
import { ExpectedError } from '../../contract/failure.js';
import { inOneLine } from '../../contract/wording.js';
import { bumpVersion } from '../accounts/brands.js';
import { type BrandWindow, type Db, statement } from '../base/statement.js';

/**
 * `complete`: every run of the plan exists. `incomplete`: some are missing. `stopped`: a signal ended it. `failed`: an error
 * did. `missed`: the day was due, and nothing was asked on it.
 */
export type CollectionOutcome = 'complete' | 'incomplete' | 'stopped' | 'failed' | 'missed';

export interface Collection {
  /** The UTC day of its runs. */
  readonly day: string;
  /** When a server was to begin it; null: a command began it. */
  readonly dueAt: Date | null;
  /** The id of the journal that has its calls; null: it has not begun; empty: its runs came without a collection. */
  readonly journal: string | null;
  /** The machine of that journal. */
  readonly host: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  /** Null: planned, running, or killed. */
  readonly outcome: CollectionOutcome | null;
  /** Why runs are missing, or why it has not begun. */
  readonly reason: string | null;
  /** What ends the reason why it has not begun; null: another try. */
  readonly remedy: Exclude<Remedy, 'wait'> | null;
  /** Of the whole day: calls that were or may have been charged. Null: not known yet. */
  readonly calls: number | null;
  /** US dollars; null: a price is not stated, or not known yet. */
  readonly costUsd: number | null;
  /** The part of `costUsd` that was reserved for calls whose cost is not known. */
  readonly assumedUsd: number | null;
  /** Runs of the plan that exist. */
  readonly answered: number | null;
  /** Runs of the plan that do not. */
  readonly missing: number | null;
  /** The missing runs that the next collection of the day asks for. */
  readonly waiting: number | null;
}

/** More than the days that are noted as missed at once. */
const RECENT = 40;

const columns = `day, due_at as "dueAt", journal, host, started_at as "startedAt", ended_at as "endedAt", outcome, reason, remedy,
     calls, cost_usd as "costUsd", assumed_usd as "assumedUsd", answered, missing, waiting`;

const recent = statement<Collection, { brandKey: number; rows: number }>(
  'recent_collections',
  `select ${columns} from collections where brand_key = :brandKey order by day desc limit :rows`,
);

/** The collections of some days. */
export const collectionsOfDays = statement<Collection, BrandWindow>(
  'collections_of_days',
  `select ${columns} from collections where brand_key = :brandKey and day between :start and :end`,
);

/** The newest collections of a brand, the newest first. */
export const recentCollections = (db: Db, brandKey: number): Promise<Collection[]> =>
  recent(db, { brandKey, rows: RECENT });

export const isPlanned = ({ journal, outcome }: Collection): boolean => journal === null && outcome === null;

export interface CollectionState {
  /** The newest collection that has begun. */
  readonly last: Collection | null;
  /** When the next one begins, or was to begin; null: none is planned. */
  readonly nextAt: Date | null;
  /** Why it cannot begin; null: nothing is against it. */
  readonly obstacle: CollectionFault | null;
}

export function stateOf(collections: readonly Collection[]): CollectionState {
  const last = collections.find(({ journal }) => journal !== null) ?? null;
  const planned = collections.find(isPlanned);
  // One that is incomplete is gone on with on the same day.
  const isRepeated = last?.endedAt != null && last.dueAt !== null && last.dueAt > last.endedAt;
  return {
    last,
    nextAt: planned?.dueAt ?? (isRepeated ? last.dueAt : null),
    obstacle:
      planned?.reason == null
        ? null
        : { reason: inOneLine(planned.reason), remedy: planned.remedy ?? 'wait' },
  };
}

/** Why the next collection cannot begin, else why the last one gave no answer. */
export function faultOf({ last, nextAt, obstacle }: CollectionState): CollectionFault | null {
  if (obstacle !== null) return obstacle;
  const isVain = last?.outcome === 'failed' || (last?.outcome === 'incomplete' && last.answered === 0);
  if (!isVain || last.reason === null) return null;
  return { reason: inOneLine(last.reason), remedy: nextAt === null ? null : 'wait' };
}

/** The rows that the state of each brand follows from: of the newest one that has begun, and of the one that is planned. */
const collectionsOfBrands = statement<Collection & { brandKey: number }, { brandKeys: readonly number[] }>(
  'collections_of_brands',
  `select k.key as "brandKey", c.* from unnest(cast(:brandKeys as integer[])) as k(key)
   cross join lateral (
     (select ${columns} from collections where brand_key = k.key and journal is not null order by day desc limit 1)
     union all
     (select ${columns} from collections where brand_key = k.key and journal is null and outcome is null
      order by day desc limit 1)
   ) c`,
);

/** The faults of some brands, by their key. */
export async function faultsOf(
  db: Db,
  brandKeys: readonly number[],
): Promise<ReadonlyMap<number, CollectionFault>> {
  if (brandKeys.length === 0) return new Map();
  const rows = new Map<number, Collection[]>();
  for (const { brandKey, ...row } of await collectionsOfBrands(db, { brandKeys }))
    rows.set(brandKey, [...(rows.get(brandKey) ?? []), row]);
  return new Map(
    [...rows].flatMap(([brandKey, own]) => {
      const fault = faultOf(stateOf(own));
      return fault ? [[brandKey, fault] as const] : [];
    }),
  );
}

/** The brands with collections. */
export const collectedBrands = statement<{ brandKey: number; id: string }, Record<string, never>>(
  'collected_brands',
  `select b.brand_key as "brandKey", b.id from brands b
   where b.archived_at is null and exists (select 1 from collections c where c.brand_key = b.brand_key) order by b.id`,
);

export const brandKeyOf = statement<{ brandKey: number; workspaceId: string }, { id: string }>(
  'brand_key_of',
  'select brand_key as "brandKey", workspace_id as "workspaceId" from brands where id = :id',
);

/** Every day with runs of a brand. */
export const daysWithRuns = statement<{ day: string }, { brandKey: number }>(
  'days_with_runs',
  'select distinct day from day_scope where brand_key = :brandKey',
);

/** Makes a change of collections. If another fault follows from it, cached reads that state the former one end. */
const changed = <T>(db: Knex, brandKey: number, change: (trx: Knex) => Promise<T>): Promise<T> =>
  db.transaction(async (trx) => {
    const fault = async () => JSON.stringify((await faultsOf(trx, [brandKey])).get(brandKey));
    const before = await fault();
    const result = await change(trx);
    if ((await fault()) !== before) await bumpVersion(trx, { brandKey });
    return result;
  });

// Beginning and ending one.

/** Told how the collections of a server with a schedule stand. */
export type CollectionReport = (
  status: CollectionState & {
    /** The plan. */
    readonly file: string;
    readonly fault: string | null;
    readonly isRunning: boolean;
  },
) => void;

/** Thrown if the journal of another process has the calls of the day. */
export class CollectionTakenError extends ExpectedError {
  constructor(day: string, { host, startedAt, endedAt }: Collection) {
    const since = `${startedAt?.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    super(
      'unexpected',
      `The answers of ${day} are collected by ${host ?? 'another machine'}, ${endedAt ? '' : 'which has not ended, '}since ${since}: its journal knows what was paid, so nothing is asked here. Repeat the command there; --resume asks from here, and may pay twice.`,
    );
  }
}

interface TakenCollection extends Record<string, unknown> {
  readonly brandKey: number;
  readonly day: string;
  /** The id of the journal. */
  readonly journal: string;
  readonly host: string;
  readonly now: Date;
  /** Takes the day over from another journal, whose calls may then be paid twice. */
  readonly isForced: boolean;
}

const take = statement<{ journal: string }, TakenCollection>(
  'take_collection',
  `insert into collections as c (brand_key, day, journal, host, started_at)
   values (:brandKey, :day, :journal, :host, :now)
   on conflict (brand_key, day) do update set journal = excluded.journal, host = excluded.host,
     started_at = coalesce(c.started_at, excluded.started_at), ended_at = null, outcome = null, reason = null, remedy = null
   where coalesce(c.journal, '') in ('', excluded.journal) or :isForced
   returning journal`,
);

/**
 * Begins or goes on with the collection of a day, for the journal that has its calls.
 * @throws CollectionTakenError
 */
export async function takeCollection(db: Knex, taken: TakenCollection): Promise<void> {
  const [held] = await changed(db, taken.brandKey, (trx) => take(trx, taken));
  if (held) return;
  const all = await recentCollections(db, taken.brandKey);
  throw new CollectionTakenError(taken.day, all.find(({ day }) => day === taken.day)!);
}

type Ending = Pick<
  Collection,
  'reason' | 'calls' | 'costUsd' | 'assumedUsd' | 'answered' | 'missing' | 'waiting'
> & { readonly outcome: CollectionOutcome };

type Ended = Ending & { readonly brandKey: number; readonly day: string; readonly now: Date };

const end = statement<never, Ended>(
  'end_collection',
  `insert into collections as c (brand_key, day, journal, host, started_at, ended_at, outcome, reason, calls, cost_usd,
     assumed_usd, answered, missing, waiting)
   values (:brandKey, :day, '', null, :now, :now, :outcome, :reason, :calls, :costUsd, :assumedUsd, :answered, :missing,
     :waiting)
   on conflict (brand_key, day) do update set ended_at = excluded.ended_at, outcome = excluded.outcome,
     journal = coalesce(c.journal, excluded.journal), started_at = coalesce(c.started_at, excluded.started_at),
     reason = excluded.reason, calls = excluded.calls, cost_usd = excluded.cost_usd, assumed_usd = excluded.assumed_usd,
     answered = excluded.answered, missing = excluded.missing, waiting = excluded.waiting`,
);

/** A day that nobody began is noted too: another tool collected it, or an earlier version. */
export const endCollection = (db: Knex, ended: Ended): Promise<unknown> =>
  changed(db, ended.brandKey, (trx) => end(trx, ended));

type Failed = Pick<Ended, 'brandKey' | 'day' | 'now' | 'outcome'> & { readonly reason: string };

const fail = statement<never, Failed>(
  'fail_collection',
  `update collections set ended_at = :now, outcome = :outcome, reason = :reason
   where brand_key = :brandKey and day = :day and journal is not null and outcome is null`,
);

/** Ends one whose calls are not known, because an error ended it. */
export const failCollection = (db: Knex, failed: Failed): Promise<unknown> =>
  changed(db, failed.brandKey, (trx) => fail(trx, failed));

/** Answers of an earlier day that were still to come. */
export const addFetched = statement<never, { brandKey: number; day: string; fetched: number }>(
  'add_fetched',
  `update collections set answered = answered + :fetched, missing = greatest(0, missing - :fetched),
     waiting = greatest(0, waiting - :fetched),
     outcome = case when outcome = 'incomplete' and missing <= :fetched then 'complete' else outcome end,
     reason = case when missing <= :fetched then null else reason end
   where brand_key = :brandKey and day = :day and missing is not null`,
);

// What a schedule plans.

const plan = statement<never, Pick<Planned, keyof Planned> & { brandKey: number }>(
  'plan_collection',
  `insert into collections as c (brand_key, day, due_at, reason, remedy)
   values (:brandKey, :day, :dueAt, :reason, :remedy)
   on conflict (brand_key, day) do update set due_at = excluded.due_at,
     reason = case when c.journal is null then excluded.reason else c.reason end,
     remedy = case when c.journal is null then excluded.remedy else c.remedy end,
     outcome = case when c.journal is null then null else c.outcome end
   where (c.due_at, c.reason, c.remedy) is distinct from (excluded.due_at, excluded.reason, excluded.remedy)
     or c.outcome = 'missed'`,
);

const unplan = statement<never, { brandKey: number; keep: string | null }>(
  'unplan_collections',
  `delete from collections
   where brand_key = :brandKey and journal is null and outcome is null and day is distinct from :keep`,
);

const miss = statement<never, { brandKey: number; days: readonly string[]; now: Date }>(
  'miss_collections',
  `insert into collections as c (brand_key, day, ended_at, outcome)
   select :brandKey, d.day, :now, 'missed' from unnest(cast(:days as date[])) as d(day)
   on conflict (brand_key, day) do update set ended_at = excluded.ended_at, outcome = excluded.outcome
   where c.journal is null and c.outcome is null`,
);

export interface Planned extends Pick<Collection, 'day' | 'reason' | 'remedy'> {
  readonly dueAt: Date;
}

/**
 * Writes what is planned, in place of what was, and the days that were missed.
 * @param next Null: nothing is planned.
 */
export async function planCollections(
  db: Knex,
  brandKey: number,
  {
    next,
    missed,
    now,
  }: { readonly next: Planned | null; readonly missed: readonly string[]; readonly now: Date },
): Promise<void> {
  await changed(db, brandKey, async (trx) => {
    if (missed.length > 0) await miss(trx, { brandKey, days: missed, now });
    await unplan(trx, { brandKey, keep: next?.day ?? null });
    if (next) await plan(trx, { brandKey, ...next });
  });
}
