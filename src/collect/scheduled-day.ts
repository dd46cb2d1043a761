/** A day of a plan as a server collects it: without a person who is asked, and told by its log. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { refusesChanges } from '../server/base/errors.js';
import type { Catalog } from '../server/intake/dataset/apply-catalog.js';
import type { AfterDays } from '../server/intake/dataset/import.js';
import { collectDay, type DayFace, type DayJob, type DayResult } from './collect-day.js';
import type { Schedule } from './plan/catalog-shape.js';
import type { CollectPlan } from './plan/plan.js';
import { openKeyFaults } from './setup.js';
import { subjectOfDatabase } from './subject.js';
import { type Time, timeBy } from './time.js';

type Tell = (fields: object, message: string) => void;

export interface DayOptions {
  readonly db: Knex;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: { readonly [level in 'debug' | 'info' | 'warn' | 'error']: Tell };
  readonly clock: () => Date;
  /** What follows from the days that are imported. */
  readonly afterDays: AfterDays;
  /** Imports a dataset file in another process; if omitted, this one does. */
  readonly importFile?: ((file: string) => Promise<void>) | undefined;
  /** The time of calls; if omitted, real time by the clock. */
  readonly time?: Time;
}

/** @template S Null: a person says when. */
export interface UsablePlan<S extends Schedule | null = Schedule> {
  readonly plan: CollectPlan;
  readonly catalog: Catalog;
  readonly schedule: S;
}

export const LIMIT_NAME = 'max_usd of [schedule]';
export const limitsOf = (schedule: Schedule | null) => ({
  maxUsd: schedule?.maxUsd ?? null,
  maxCalls: schedule?.maxCalls ?? null,
});

/** How often a server looks whether the database accepts changes again, which another process imports into. */
const CHANGES_EVERY_MS = 1000;

/**
 * Collects a day of the plan.
 * @param out The dataset file.
 * @param stop Aborted: no further call is sent, and those in flight are awaited.
 * @throws As `collectDay`.
 */
export function collectScheduled(
  { plan, catalog, schedule }: UsablePlan<Schedule | null>,
  date: string,
  out: string,
  options: DayOptions,
  stop: AbortSignal,
): Promise<DayResult> {
  const { db, env, clock, time = timeBy(clock), afterDays, importFile } = options;
  const { id } = catalog.brand;
  const job: DayJob = {
    plan,
    brand: id,
    date,
    out,
    resume: false,
    retry: [],
    isDryRun: false,
    limits: limitsOf(schedule),
    limitName: LIMIT_NAME,
    rawFolder: null,
    env,
    time,
    withSubject: async (work) => work(await subjectOfDatabase(db, id)),
    withDatabase: (work) => patient(() => work(db), stop),
    afterDays,
    importFile,
  };
  return collectDay(job, faceOf(options, id, date, stop));
}

/** Runs `work` again until the database accepts its changes, or the server stops. */
async function patient<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!refusesChanges(error) || signal.aborted) throw error;
      await sleep(CHANGES_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

const faceOf = ({ log, env }: DayOptions, brand: string, day: string, stop: AbortSignal): DayFace => ({
  planned: async ({ request: { plan }, ahead: { schedule, preview } }) => {
    if (openKeyFaults(plan, schedule, env).length > 0) return;
    const { calls, cost_usd: about_usd, receivers: to } = preview;
    log.info({ brand, day, calls, about_usd, to }, 'collection begins');
  },
  approve: async () => undefined,
  fetching: (date) => log.info({ brand, day: date }, 'answers that were paid are fetched'),
  sending: (work) =>
    work({
      stop,
      abort: new AbortController().signal,
      onWait: (milliseconds, reason) => log.info({ brand, milliseconds, reason }, 'waiting for an engine'),
      onProgress: () => undefined,
    }),
  reported: async () => undefined,
  importFailure: async (_, error) => error,
});
