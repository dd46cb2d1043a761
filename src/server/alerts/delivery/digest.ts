/** The weekly digest: on Monday morning the report of the week before, for each brand that somebody gets it of. */
import type { Knex } from 'knex';
import { type BrandReads, measuredReads } from '../../../contract/brand-reads.js';
import { longDay } from '../../../contract/day-words.js';
import { ABOUT_NOTHING, type EventData } from '../../../contract/events.js';
import type { Plan } from '../../../contract/keys.js';
import { WINDOW_DAYS } from '../../../contract/limits.js';
import { counted } from '../../../contract/wording.js';
import { accessOfPlan, findBrand } from '../../accounts/access.js';
import { brandReads, type ReadEnvironment } from '../../answers/reads/answer-read.js';
import { brandPath } from '../../base/brand-path.js';
import type { Clock } from '../../base/clock.js';
import { addDays, utcDay, type Window, windowEnding } from '../../base/days.js';
import type { Logger } from '../../base/log.js';
import { type Repeated, repeat } from '../../base/repeat.js';
import { statement } from '../../base/statement.js';
import { enqueue, eventId } from './outbox.js';

/** What a report says, in every form. */
export interface WrittenReport {
  readonly title: string;
  /** The days that the report covers. */
  readonly window: { readonly start: string; readonly end: string; readonly days: number };
  /** Whether the brand is visible, in one sentence. */
  readonly sentence: string;
  readonly markdown: string;
  readonly html: string;
}

/** Writes the report that `svc report` prints, of the days to a last one. */
export type WriteReport = (reads: BrandReads, end: string) => Promise<WrittenReport>;

const MONDAY = 1;
/** UTC. The nightly work is done by then. */
const FROM_HOUR = 6;
/** A server that was down on Monday sends the digest until this many days later. */
const UNTIL_DAYS = 3;
const HOUR_MS = 3_600_000;

/** The week whose digest is due; null: none is. */
export function dueWeek(now: Date): Window | null {
  const shifted = new Date(now.getTime() - FROM_HOUR * HOUR_MS);
  const sinceMonday = (shifted.getUTCDay() + 7 - MONDAY) % 7;
  if (sinceMonday >= UNTIL_DAYS) return null;
  return windowEnding(addDays(utcDay(shifted), -sinceMonday - 1), WINDOW_DAYS);
}

const DIGEST = 'digest.weekly';

interface Subscribed {
  id: string;
  workspaceId: string;
  plan: Plan;
}

/** The brands whose digest somebody gets. */
const subscribedBrands = statement<Subscribed, { type: string }>(
  'digested_brands',
  `select b.id, b.workspace_id as "workspaceId", w.plan
   from brands b join workspaces w on w.id = b.workspace_id
   where b.archived_at is null and exists (
     select 1 from destinations d
     where d.workspace_id = b.workspace_id and d.paused_at is null and :type = any(d.events)
       and (d.brand_ids is null or b.id = any(d.brand_ids))
   )
   order by b.id`,
);

const storedEvent = statement<{ id: string }, { id: string }>(
  'stored_event',
  'select id from events where id = :id',
);

export interface DigestSettings {
  readonly reads: ReadEnvironment;
  readonly write: WriteReport;
}

/**
 * Enqueues the digests that are due and not stored.
 * @returns How many are new.
 * @throws The first failure, once the digests of all other brands are enqueued.
 */
export async function enqueueDigests(
  db: Knex,
  settings: DigestSettings,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const week = dueWeek(now);
  if (week === null) return 0;
  let enqueued = 0;
  const failures: unknown[] = [];
  for (const brand of await subscribedBrands(db, { type: DIGEST })) {
    if (signal.aborted) break;
    try {
      if (await enqueueDigest(db, settings, brand, week, now, signal)) enqueued++;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return enqueued;
}

/** @returns Whether it is new. A brand without answers has none. */
async function enqueueDigest(
  db: Knex,
  { reads, write }: DigestSettings,
  subscribed: Subscribed,
  week: Window,
  now: Date,
  gone: AbortSignal,
): Promise<boolean> {
  const access = accessOfPlan(DIGEST, subscribed);
  const found = await findBrand(db, access, subscribed.id);
  if (typeof found === 'string' || !found.hasRuns) return false;
  const { id, name, domain } = found;
  const brand = { id, name, domain };
  const described = { type: DIGEST, key: week.start, data: { brand } } as const;
  const [stored] = await storedEvent(db, { id: eventId(described) });
  if (stored) return false;
  const data = digestData(
    brand,
    await write(measuredReads(brandReads(reads, { access, gone }, found)), week.end),
  );
  return (await enqueue(db, [{ ...described, at: now, data }])).length > 0;
}

export function digestData(
  brand: EventData['brand'],
  { window: { start, end, days }, sentence, markdown, html }: WrittenReport,
): EventData {
  return {
    ...ABOUT_NOTHING,
    brand,
    title: `${counted(days, 'day')} to ${longDay(end)}`,
    sentence,
    window: { start, end },
    link: brandPath(brand.id),
    report: { markdown, html },
  };
}

/** How often a server looks whether a digest is due. */
const EVERY_MS = 10 * 60_000;

export const startDigests = (
  db: Knex,
  log: Logger,
  settings: DigestSettings,
  clock: Clock,
  everyMs = EVERY_MS,
): Repeated =>
  repeat({ everyMs, log, name: 'digest' }, async (stopping) => {
    await enqueueDigests(db, settings, clock(), stopping);
  });
