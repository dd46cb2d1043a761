/** The plans of a server as its page reads and changes them, and a collection that somebody begins there. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { EngineId } from '../../contract/engines.js';
import { ExpectedError, failureKindOf } from '../../contract/failure.js';
import { brandKeyOf, CollectionTakenError, collectionsOfDays } from '../../server/answers/collections.js';
import { utcDay } from '../../server/base/days.js';
import { lockHolder } from '../../server/database/data-folder.js';
import type { DatabaseLocation } from '../../server/database/database.js';
import type { AfterDays } from '../../server/intake/dataset/import.js';
import type { CollectionOffer, PlanSettings, PlanSettingsHost } from '../../server/intake/plan-settings.js';
import { prospect } from '../collect.js';
import { JOURNAL, journalIdOf } from '../journal.js';
import { PlanReader } from '../plan/read-plan.js';
import { LIMIT_NAME, limitsOf } from '../scheduled-day.js';
import { openKeyFaults, requirePrices, stateFile } from '../setup.js';
import { subjectOfDatabase } from '../subject.js';
import { differenceIn } from './difference.js';
import { type PlanSource, proposeChange, readSource, writeChange } from './plan-editor.js';
import { viewOfPlan } from './plan-view.js';

export interface PlanHostOptions {
  readonly db: Knex;
  /** Where the database is: the journals are found by it. */
  readonly location: DatabaseLocation;
  /** The svc.toml of each brand; a plan that is made later is added. */
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: () => Date;
  readonly afterDays: AfterDays;
  /** Begins the collection of the plan, in the process that collects, and does not wait for its end. */
  readonly begin: (file: string) => void;
}

export function planSettings(options: PlanHostOptions): PlanSettings {
  const readers = new Map<string, PlanReader>();
  /** The brand that each file had last, also if it has a fault now. */
  const brands = new Map<string, string>();
  const lookAt = async (file: string) => {
    const reader = readers.get(file) ?? new PlanReader(file, options.clock);
    readers.set(file, reader);
    const read = await reader.read().catch(() => null);
    const id = read?.catalog?.brand.id;
    if (id !== undefined) brands.set(file, id);
  };
  const look = () => Promise.all(options.files.map(lookAt));
  return {
    brands: async () => {
      await look();
      return new Set(brands.values());
    },
    of: async (brand) => {
      await look();
      const file = options.files.find((each) => brands.get(each) === brand);
      return file === undefined ? null : hostOf(options, file, brand);
    },
  };
}

function hostOf(options: PlanHostOptions, file: string, brand: string): PlanSettingsHost {
  const { db, env, clock, afterDays, begin } = options;
  /** Of this brand: somebody may have given the file to another one. */
  const source = () =>
    told(file, async () => {
      const read = await readSource(file);
      const { id } = read.read.catalog.brand;
      if (id === brand) return read;
      throw new ExpectedError('usage', `${file} is the plan of the brand ${id} now, and not of ${brand}.`);
    });
  const offer = async () => offerOf(options, await source());
  return {
    view: async () => {
      const current = await source();
      const { changes } = await differenceIn(db, current.read.catalog, clock());
      return { ...viewOfPlan(current, env), unapplied: changes.length };
    },
    propose: async (change) => {
      await source();
      return told(file, () => proposeChange(db, file, change, clock()));
    },
    write: async (change, shown, keyId) => {
      await source();
      const now = clock();
      return told(file, () => writeChange(db, file, change, shown, { now, afterDays, keyId }));
    },
    collection: offer,
    collect: async (shown) => {
      const current = await offer();
      const isShown = current.token === shown && current.obstacles.length === 0;
      if (isShown) begin(file);
      return { begun: isShown, offer: current };
    },
  };
}

/** A failure of the file system as people read it. */
async function told<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall, path = file } = error as NodeJS.ErrnoException;
    if (failureKindOf(error) !== undefined || code === undefined || syscall === undefined) throw error;
    throw new ExpectedError('usage', `${path} cannot be read (${code}).`);
  }
}

// A collection that begins now.

async function offerOf(options: PlanHostOptions, { file, read }: PlanSource): Promise<CollectionOffer> {
  const { db, env, location, clock } = options;
  const { plan, catalog, schedule } = read;
  const { id } = catalog.brand;
  const date = utcDay(clock());
  const out = stateFile(location, id, date, env);
  const limits = limitsOf(schedule);
  const obstacles: string[] = [];
  /** The reason of a refusal stands with those of others. */
  const orObstacle = async <T>(work: () => Promise<T> | T): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      if (failureKindOf(error) === undefined) throw error;
      obstacles.push((error as Error).message);
      return null;
    }
  };
  const writer = await lockHolder(`${out}${JOURNAL}.lock`);
  if (writer !== null)
    obstacles.push('Answers are being collected at this moment: one collection at a time.');
  const [stored] = await brandKeyOf(db, { id });
  if (stored) await orObstacle(() => requireOwnJournal(db, stored.brandKey, date, out));
  if (plan.targets.length === 0) obstacles.push(`No engine of ${file} is on: nothing is asked.`);
  const request = { plan, date, out, resume: false, retry: [] };
  const found = await orObstacle(async () =>
    prospect({ ...request, subject: await subjectOfDatabase(db, id) }),
  );
  if (found !== null) {
    obstacles.push(...openKeyFaults(plan, found.schedule, env));
    if (limits.maxUsd !== null && found.preview.calls > 0)
      await orObstacle(() => requirePrices(plan, LIMIT_NAME));
    if (obstacles.length === 0 && found.preview.targets.every(({ calls, open }) => calls + open === 0))
      obstacles.push(`Nothing is left to ask: the answers of ${date} are stored.`);
  }
  const rows = found?.preview.targets.filter(({ calls, open }) => calls + open > 0) ?? [];
  const shown = {
    day: date,
    calls: rows.map(({ engine, region, calls, cost_usd }) => ({
      engine: engine as EngineId | null,
      region,
      calls,
      usd: cost_usd,
    })),
    sum: { calls: found?.preview.calls ?? 0, usd: found?.preview.cost_usd ?? null },
    receivers: found?.preview.receivers ?? [],
    spentUsd: found?.preview.spent_usd ?? 0,
    limits: { max_usd: limits.maxUsd, max_calls: limits.maxCalls },
    obstacles,
  };
  return { ...shown, token: createHash('sha256').update(JSON.stringify(shown)).digest('hex') };
}

/** @throws CollectionTakenError if another machine has the calls of the day. */
async function requireOwnJournal(db: Knex, brandKey: number, day: string, out: string): Promise<void> {
  const [own] = await collectionsOfDays(db, { brandKey, start: day, end: day });
  if (!own?.journal) return;
  if (own.journal !== (await journalIdOf(out))) throw new CollectionTakenError(day, own);
}
