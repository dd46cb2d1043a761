/**
 * The collections of a brand, a row for each UTC day: planned, begun, ended or missed. The row of a day names the journal
 * that has its calls, and no other journal may send more of them.
 */

import type { Knex } from 'knex';
import { ExpectedError } from '../contract/failure.js';
import { type BrandWindow, statement } from './statement.js';

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
  /** Those of them that the next collection of the day asks for. */
  readonly waiting: number | null;
}

/** More than the days that are noted as missed at once. */
const RECENT = 40;

const columns = `day, due_at as "dueAt", journal, host, started_at as "startedAt", ended_at as "endedAt", outcome, reason, calls,
     cost_usd as "costUsd", assumed_usd as "assumedUsd", answered, missing, waiting`;

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
export const recentCollections = (db: Knex, brandKey: number): Promise<Collection[]> =>
  recent(db, { brandKey, rows: RECENT });

export const isPlanned = ({ journal, outcome }: Collection): boolean => journal === null && outcome === null;

export interface CollectionState {
  /** The newest collection that has begun. */
  readonly last: Collection | null;
  /** When the next one begins, or was to begin; null: none is planned. */
  readonly nextAt: Date | null;
  /** Why it cannot begin; null: nothing is against it. */
  readonly obstacle: string | null;
}

export function stateOf(collections: readonly Collection[]): CollectionState {
  const last = collections.find(({ journal }) => journal !== null) ?? null;
  const planned = collections.find(isPlanned);
  // One that is incomplete is gone on with on the same day.
  const isRepeated = last?.endedAt != null && last.dueAt !== null && last.dueAt > last.endedAt;
  return {
    last,
    nextAt: planned?.dueAt ?? (isRepeated ? last.dueAt : null),
    obstacle: planned?.reason ?? null,
  };
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

// Beginning and ending one.

/** Told how the collections of a server with a schedule stand. */
export type CollectionReport = (
  status: CollectionState & { readonly fault: string | null; readonly isRunning: boolean },
) => void;

/** Another journal has the calls of the day. */
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
     started_at = coalesce(c.started_at, excluded.started_at), ended_at = null, outcome = null, reason = null
   where coalesce(c.journal, '') in ('', excluded.journal) or :isForced
   returning journal`,
);

/**
 * Begins or goes on with the collection of a day, for the journal that has its calls.
 * @throws CollectionTakenError
 */
export async function takeCollection(db: Knex, taken: TakenCollection): Promise<void> {
  const [held] = await take(db, taken);
  if (held) return;
  const all = await recentCollections(db, taken.brandKey);
  throw new CollectionTakenError(taken.day, all.find(({ day }) => day === taken.day)!);
}

type Ending = Pick<
  Collection,
  'reason' | 'calls' | 'costUsd' | 'assumedUsd' | 'answered' | 'missing' | 'waiting'
> & { readonly outcome: CollectionOutcome };

/** A day that nobody began is noted too: another tool collected it. */
export const endCollection = statement<
  never,
  Ending & { readonly brandKey: number; readonly day: string; readonly now: Date }
>(
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

/** Ends one whose calls are not known, because an error ended it. */
export const failCollection = statement<
  never,
  { brandKey: number; day: string; now: Date; outcome: CollectionOutcome; reason: string }
>(
  'fail_collection',
  `update collections set ended_at = :now, outcome = :outcome, reason = :reason
   where brand_key = :brandKey and day = :day and journal is not null and outcome is null`,
);

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

const plan = statement<never, { brandKey: number; day: string; dueAt: Date; reason: string | null }>(
  'plan_collection',
  `insert into collections as c (brand_key, day, due_at, reason) values (:brandKey, :day, :dueAt, :reason)
   on conflict (brand_key, day) do update set due_at = excluded.due_at,
     reason = case when c.journal is null then excluded.reason else c.reason end,
     outcome = case when c.journal is null then null else c.outcome end
   where (c.due_at, c.reason) is distinct from (excluded.due_at, excluded.reason) or c.outcome = 'missed'`,
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

export interface Planned {
  readonly day: string;
  readonly dueAt: Date;
  /** Why it cannot begin; null: nothing is against it. */
  readonly reason: string | null;
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
  await db.transaction(async (trx) => {
    if (missed.length > 0) await miss(trx, { brandKey, days: missed, now });
    await unplan(trx, { brandKey, keep: next?.day ?? null });
    if (next) await plan(trx, { brandKey, ...next });
  });
}
