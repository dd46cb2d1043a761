/**
 * A day of a brand from its prompts to its runs: `svc collect` and a server with a schedule both do this, with the same
 * journal, limits and notes in the database.
 */

import { createReadStream } from 'node:fs';
import { hostname } from 'node:os';
import type { Knex } from 'knex';
import type { NonAnswer } from '../contract/surfaces.js';
import {
  addFetched,
  brandKeyOf,
  CollectionTakenError,
  endCollection,
  failCollection,
  takeCollection,
} from '../server/answers/collections.js';
import { roundedUsd } from '../server/base/language-model.js';
import { retried } from '../server/database/connections.js';
import type { FolderUse } from '../server/database/folder-socket.js';
import { type AfterDays, importDataset } from '../server/intake/dataset/import.js';
import type { Limits } from './budget.js';
import {
  type CollectRequest,
  collect,
  detached,
  JournalInUseError,
  type Prospect,
  prospect,
} from './collect.js';
import type { CollectionOptions, CollectionResult } from './collection.js';
import { unfinishedDays } from './journal.js';
import type { Spent } from './paid-calls.js';
import type { CollectPlan } from './plan/plan.js';
import type { ScheduledRun } from './schedule.js';
import { keysOf, POLLS, requirePrices } from './setup.js';
import type { Subject } from './subject.js';
import type { Time } from './time.js';

export interface DayJob {
  readonly plan: CollectPlan;
  readonly brand: string;
  /** The UTC day of the runs. */
  readonly date: string;
  /** The dataset file. The journal is next to it. */
  readonly out: string;
  /** Asks again where a call may have been charged, and where the journal of another machine has the calls. */
  readonly resume: boolean;
  readonly retry: readonly NonAnswer[];
  readonly limits: Limits;
  /** What the limit in US dollars is called. */
  readonly limitName: string;
  readonly isDryRun: boolean;
  readonly rawFolder: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly time: Time;
  /** Runs `work` with the brand and its prompts. */
  readonly withSubject: <T>(work: (subject: Subject) => Promise<T>) => Promise<T>;
  /** Runs `work`, for as long as `use` says, on the database that the runs are imported into; null: they stay in the file. */
  readonly withDatabase: (<T>(work: (db: Knex) => Promise<T>, use?: FolderUse) => Promise<T>) | null;
  /** What follows from the days that are imported. */
  readonly afterDays: AfterDays;
  /** Imports the file elsewhere than in this process; if omitted, `withDatabase` does. */
  readonly importFile?: ((file: string) => Promise<void>) | undefined;
}

/** How the calls are sent, and who is told. */
export type Sending = Pick<CollectionOptions, 'stop' | 'abort' | 'onWait' | 'onProgress'>;

/** Who a day is collected for: a person at a terminal, or a server. */
export interface DayFace {
  /** Receives what is ahead, before anything is sent. */
  planned(found: Found): Promise<void>;
  /** Throws if the calls are not to be sent. */
  approve(ahead: Prospect): Promise<void>;
  /** Called before answers of an earlier day are fetched. */
  fetching(date: string): void;
  sending(work: (sending: Sending) => Promise<CollectionResult>): Promise<CollectionResult>;
  /** Told what the calls gave, before it is imported. */
  reported(result: CollectionResult, isEarlier: boolean): Promise<void>;
  /** The error for a file that cannot be imported. */
  importFailure(file: string, error: unknown): Promise<unknown>;
}

export interface Found {
  readonly request: CollectRequest;
  readonly ahead: Prospect;
}

export interface DayResult extends Found {
  /** Null: nothing was left to ask, or it is a dry run. */
  readonly result: CollectionResult | null;
  readonly isImported: boolean;
  /** What all calls of the day cost. */
  readonly spent: Spent;
}

/**
 * Does what is left of the day, after answers of earlier days that a provider still has, which were paid.
 * @throws ExpectedError, CollectionTakenError, and what the face throws.
 */
export async function collectDay(job: DayJob, face: DayFace): Promise<DayResult> {
  const { plan, limits } = job;
  if (job.withDatabase && !job.isDryRun) await fetchEarlier(job, face);
  const found = await lookAhead(job, { date: job.date, out: job.out });
  const { ahead } = found;
  await face.planned(found);
  if (ahead.schedule.some(isLeft) && limits.maxUsd !== null) requirePrices(plan, job.limitName);
  if (job.isDryRun) return { ...found, result: null, isImported: false, spent: spentOf(found, null) };
  if (!ahead.schedule.some(isLeft)) {
    const isImported = await importRuns(job, face, found, null);
    await noteEnd(job, found, null, false);
    return { ...found, result: null, isImported, spent: spentOf(found, null) };
  }
  const keyOf = keysOf(plan, ahead.schedule, job.env);
  if (ahead.preview.calls > 0) await face.approve(ahead);
  try {
    let isStopped = false;
    const result = await face.sending((sending) =>
      send(job, found, keyOf, sending).finally(() => {
        isStopped = sending.stop.aborted;
      }),
    );
    // First what the calls gave, because they were paid even if the import fails.
    await face.reported(result, false);
    const isImported = await importRuns(job, face, found, result);
    await noteEnd(job, found, result, isStopped);
    return { ...found, result, isImported, spent: spentOf(found, result) };
  } catch (error) {
    await noteFailure(job, error);
    throw error;
  }
}

async function lookAhead(
  { plan, withSubject, resume, retry }: DayJob,
  day: Pick<CollectRequest, 'date' | 'out' | 'paidOnly'>,
): Promise<Found> {
  return withSubject(async (subject) => {
    const own = day.paidOnly ? { resume: false, retry: [] } : { resume, retry };
    const request: CollectRequest = { plan, subject, ...own, ...day };
    return { request: await detached(request), ahead: await prospect(request) };
  });
}

async function fetchEarlier(job: DayJob, face: DayFace): Promise<void> {
  for (const day of await unfinishedDays(job.out, job.brand, job.date)) {
    const found = await lookAhead(job, { ...day, paidOnly: true });
    const { ahead } = found;
    face.fetching(day.date);
    const result = ahead.schedule.some(isLeft) ? await fetchPaid(job, face, found) : null;
    await importRuns(job, face, found, result);
    const fetched = madeBy(result);
    if (fetched > 0)
      await onBrand(job, (db, brandKey) => addFetched(db, { brandKey, day: day.date, fetched }));
  }
}

async function fetchPaid(job: DayJob, face: DayFace, found: Found): Promise<CollectionResult> {
  const keyOf = keysOf(job.plan, found.ahead.schedule, job.env);
  if (found.ahead.preview.calls > 0) await face.approve(found.ahead);
  // What was paid is fetched by the journal that paid it, whichever has the day.
  const result = await face.sending((sending) => send({ ...job, withDatabase: null }, found, keyOf, sending));
  await face.reported(result, true);
  return result;
}

/** Sends what is missing, if the journal of this machine has the calls of the day. */
const send = (
  job: DayJob,
  { request }: Found,
  keyOf: ReturnType<typeof keysOf>,
  sending: Sending,
): Promise<CollectionResult> =>
  collect(request, {
    ...sending,
    limits: job.limits,
    keyOf,
    rawFolder: job.rawFolder,
    polls: POLLS,
    time: job.time,
    allowPrivate: job.env.ROBOTS_ALLOW_PRIVATE === 'true',
    begin: (journal) =>
      onBrand(job, (db, brandKey) =>
        takeCollection(db, {
          brandKey,
          day: job.date,
          journal,
          host: hostname(),
          now: job.time.clock(),
          isForced: job.resume,
        }),
      ),
  });

/** @param result Null: nothing was sent, so the calls are those of the journal. */
function spentOf({ ahead: { spent } }: Found, result: CollectionResult | null): Spent {
  if (result) return result.spent;
  const { calls, usd, assumedUsd, isPriced } = spent;
  return { calls, usd: isPriced ? roundedUsd(usd) : null, assumed_usd: roundedUsd(assumedUsd) };
}

/** Imports the file if it has runs that the database has not. */
async function importRuns(
  { withDatabase, importFile, afterDays, time }: DayJob,
  face: DayFace,
  { request: { out }, ahead: { unimported } }: Found,
  result: CollectionResult | null,
): Promise<boolean> {
  if (withDatabase === null || madeBy(result) + unimported === 0) return false;
  if (importFile) await importFile(out);
  else
    await withDatabase(async (db) => {
      try {
        await retried(() =>
          importDataset(db, createReadStream(out, { highWaterMark: 1 << 20 }), {
            now: time.clock(),
            afterDays,
          }),
        );
      } catch (error) {
        throw await face.importFailure(out, error);
      }
    }, 'copy');
  return true;
}

const madeBy = (result: CollectionResult | null): number =>
  result?.targets.reduce((sum, { answered, not_shown }) => sum + answered + not_shown, 0) ?? 0;

/** Whether something of the plan is missing, also if it is not asked again. */
export const isLeft = ({ progress }: ScheduledRun): boolean => progress !== 'stored';

// The notes in the database.

async function onBrand(job: DayJob, work: (db: Knex, brandKey: number) => Promise<unknown>): Promise<void> {
  await job.withDatabase?.(async (db) => {
    const [brand] = await brandKeyOf(db, { id: job.brand });
    if (brand) await work(db, brand.brandKey);
  });
}

async function noteEnd(
  job: DayJob,
  found: Found,
  result: CollectionResult | null,
  isStopped: boolean,
): Promise<void> {
  const tallies = result?.targets ?? [];
  const missing = result?.missing ?? 0;
  const answered = result
    ? tallies.reduce((sum, tally) => sum + tally.stored + tally.answered + tally.not_shown, 0)
    : found.ahead.schedule.length;
  const { calls, usd, assumed_usd } = spentOf(found, result);
  const ending = {
    outcome:
      missing === 0 ? ('complete' as const) : isStopped ? ('stopped' as const) : ('incomplete' as const),
    reason: result && missing > 0 ? reasonOf(result, missing, isStopped, job.limitName) : null,
    calls,
    costUsd: usd,
    assumedUsd: assumed_usd,
    answered,
    missing,
    waiting: tallies.reduce((sum, { waiting }) => sum + waiting, 0),
  };
  await onBrand(job, (db, brandKey) =>
    endCollection(db, { brandKey, day: job.date, now: job.time.clock(), ...ending }),
  );
}

/** What cannot be noted is not worth another error: the first one is told. */
async function noteFailure(job: DayJob, error: unknown): Promise<void> {
  if (error instanceof CollectionTakenError || error instanceof JournalInUseError) return;
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
  await onBrand(job, (db, brandKey) =>
    failCollection(db, { brandKey, day: job.date, now: job.time.clock(), outcome: 'failed', reason }),
  ).catch(() => undefined);
}

const MAX_REASON = 500;
/** Different problems that a reason names. */
const MAX_NAMED = 3;

/** Why runs are missing, in some sentences. */
function reasonOf(
  { limit, overrun, problems }: CollectionResult,
  missing: number,
  isStopped: boolean,
  limitName: string,
): string {
  const head = `${missing} ${missing === 1 ? 'run' : 'runs'} of the plan ${missing === 1 ? 'is' : 'are'} missing`;
  if (isStopped) return `${head}: the process was stopped.`;
  if (overrun !== null) return `${head}: a call to ${overrun.model} cost more than its request allows.`;
  if (limit !== null) {
    const name = limit === 'maxUsd' ? limitName : limitName.replace('usd', 'calls');
    return `${head}: ${name} has no room for another call.`;
  }
  const found = problems.map(
    ({ engine, region, step, outcome, detail }) =>
      `${engine} ${region}: ${step === 'extract' ? 'extraction ' : ''}${detail || outcome.replace('_', ' ')}`,
  );
  const named = [...new Set(found)].slice(0, MAX_NAMED);
  return `${[head, ...named].join('; ').slice(0, MAX_REASON)}.`;
}
