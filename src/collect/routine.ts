/** A server that collects by itself, as the `[schedule]` of its plan says. */
import { ExpectedError, failureKindOf } from '../contract/failure.js';
import {
  brandKeyOf,
  type Collection,
  type CollectionState,
  CollectionTakenError,
  isPlanned,
  planCollections,
  recentCollections,
  stateOf,
} from '../server/answers/collections.js';
import { utcDay } from '../server/base/days.js';
import { refusesChanges } from '../server/base/errors.js';
import { type Repeated, repeat } from '../server/base/repeat.js';
import type { DatabaseLocation } from '../server/database/database.js';
import { applyCatalog, type Catalog, catalogChanges } from '../server/intake/dataset/apply-catalog.js';
import { JournalInUseError } from './collect.js';
import { type Due, nextDue, REPEAT_MS } from './due.js';
import { journalIdOf } from './journal.js';
import type { Schedule } from './plan/catalog-shape.js';
import { PlanReader, type ReadPlan, sameBrand } from './plan/read-plan.js';
import { collectScheduled, type DayOptions, type UsablePlan } from './scheduled-day.js';
import { planKeyFaults, SetupError, stateFile } from './setup.js';

export interface RoutineOptions extends DayOptions {
  /** The svc.toml. */
  readonly file: string;
  /** The files of all plans of the server, by the brand that each has. */
  readonly owners?: Map<string, string>;
  /** Where the database is: the folder of the journals derives from it. */
  readonly location: DatabaseLocation;
  /** Receives the status after each look. */
  readonly report?: ((status: RoutineStatus) => void) | undefined;
  /** How often it looks at the clock: a timer until the next collection would be late if the machine sleeps. */
  readonly everyMs?: number;
}

export interface RoutineStatus extends CollectionState {
  readonly file: string;
  /** The brand of the plan; null: it was never read without a fault. */
  readonly brand: { readonly id: string; readonly workspaceId: string } | null;
  /** Null: the plan has none, or a fault. */
  readonly schedule: Schedule | null;
  /** Why the plan cannot be used; null: it can. */
  readonly fault: string | null;
  readonly isRunning: boolean;
}

const LOOK_EVERY_MS = 60_000;
/** After an error that may pass by itself, such as that of a database. */
const TRY_AGAIN_MS = 5 * 60_000;

const UNUSABLE = 'the plan cannot be used';
const UNFOLLOWED = 'the schedule could not be followed';
const FAILED = 'collection failed';
const BUSY = 'another process collects';
const WAITS = 'the schedule waits until the database accepts changes';

export class Routine {
  readonly #options: RoutineOptions;
  readonly #stopping = new AbortController();
  #looks: Repeated | undefined;
  #looking: Promise<void> | null = null;
  #status: RoutineStatus;
  readonly #reader: PlanReader;
  /** The plan that was compared with the database last. */
  #compared: ReadPlan | null = null;
  /** The last brand that the plan named, also if it has a fault now. */
  #brandKey: number | null = null;
  /** After an error: until when nothing is tried, unless the plan changes. */
  #pause: (Pick<Collection, 'reason' | 'remedy'> & { readonly plan: string; readonly until: number }) | null =
    null;
  /** What was logged last, by its message. */
  readonly #told = new Map<string, string>();

  constructor(options: RoutineOptions) {
    this.#options = options;
    this.#reader = new PlanReader(options.file, options.clock);
    this.#status = {
      file: options.file,
      brand: null,
      schedule: null,
      fault: null,
      isRunning: false,
      last: null,
      nextAt: null,
      obstacle: null,
    };
  }

  get status(): RoutineStatus {
    return this.#status;
  }

  /** Adds the brand of the plan if the database does not have it, and plans the next collection. Asks nothing. */
  async prepare(): Promise<RoutineStatus> {
    await this.#guarded(async () => {
      const usable = await this.#read();
      if (usable) await this.#planNext(usable, await this.#due(usable));
    });
    return this.#status;
  }

  /** Looks at the clock now, and then again and again. */
  start(): void {
    const { log, everyMs = LOOK_EVERY_MS } = this.#options;
    this.#looks = repeat({ everyMs, log, name: 'the schedule' }, () => this.look());
  }

  /** Collects if it is time. A look during another one is that one. */
  look(): Promise<void> {
    return this.#looking ?? this.#alone(() => this.#look());
  }

  /** Collects what is left of today, with or without a schedule: somebody wants it now. */
  collectNow(): Promise<void> {
    return this.#alone(async () => {
      const stated = await this.#stated();
      if (!stated || this.#stopping.signal.aborted) return;
      await this.#collect(stated, utcDay(this.#options.clock()));
      const { schedule } = stated;
      if (schedule !== null)
        await this.#planNext({ ...stated, schedule }, await this.#due({ ...stated, schedule }));
    });
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const own = (this.#looking ?? Promise.resolve())
      .then(() => this.#guarded(work))
      .finally(() => {
        if (this.#looking === own) this.#looking = null;
      });
    this.#looking = own;
    return own;
  }

  /** Sends no further call, and waits for those in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looks?.stop();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const usable = await this.#read();
    if (!usable || this.#stopping.signal.aborted) return;
    const due = await this.#due(usable);
    await this.#planNext(usable, due);
    const now = this.#options.clock();
    if (due.at > now || due.day > utcDay(now) || this.#isPaused(usable, now)) return;
    await this.#collect(usable, due.day);
    await this.#planNext(usable, await this.#due(usable));
  }

  /** An error ends a look, never the server. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#told.delete(UNFOLLOWED);
      this.#told.delete(WAITS);
    } catch (error) {
      // Another process imports: the next look tries again.
      if (refusesChanges(error)) this.#tell('info', WAITS, {}, WAITS);
      else this.#tell('error', UNFOLLOWED, { err: error }, String(error));
    }
    this.#options.report?.(this.#status);
  }

  /** Reads the plan; null: it cannot be used, or plans nothing. */
  async #read(): Promise<UsablePlan | null> {
    const stated = await this.#stated();
    if (stated === null) return null;
    const { schedule } = stated;
    if (schedule !== null) return { ...stated, schedule };
    await this.#store({ next: null, missed: [] });
    return null;
  }

  /** Reads the plan; null: it cannot be used. */
  async #stated(): Promise<UsablePlan<Schedule | null> | null> {
    const { file, owners } = this.#options;
    const read = await this.#reader.read().catch((error: Error) => error);
    if (read instanceof Error) return this.#refuse(faultOf(read, file));
    const { plan, catalog, schedule } = read;
    if (catalog === null) return this.#refuse(`${file} has no [brand], so there is nobody to collect for.`);
    const { id } = catalog.brand;
    const owner = owners?.get(id) ?? file;
    if (owner !== file) return this.#refuse(sameBrand(file, owner, id));
    for (const [brand, own] of owners ?? []) if (own === file) owners!.delete(brand);
    owners?.set(id, file);
    const renamed = await this.#renamed(catalog);
    if (renamed !== null) return this.#refuse(renamed);
    const { brandKey, workspaceId } = await this.#brand(catalog);
    // What was planned for another brand is not planned any more.
    if (this.#brandKey !== null && this.#brandKey !== brandKey) await this.#store({ next: null, missed: [] });
    this.#brandKey = brandKey;
    this.#status = {
      ...this.#status,
      brand: { id, workspaceId },
      schedule,
      fault: null,
    };
    this.#told.delete(UNUSABLE);
    if (schedule !== null && plan.targets.length === 0)
      return this.#refuse(`${file} has no [[target]], so there is no engine to ask.`);
    if (schedule !== null && this.#compared !== read) await this.#compare(catalog);
    this.#compared = read;
    return { plan, catalog, schedule };
  }

  /** The fault of a plan whose brand may be a stored one under another name, which would begin again and be paid again; null: none. */
  async #renamed(catalog: Catalog): Promise<string | null> {
    const { db, clock, file, owners } = this.#options;
    const { id, name } = catalog.brand;
    if ((await brandKeyOf(db, { id })).length > 0) return null;
    const { likely } = await catalogChanges(db, catalog, clock());
    const former = likely.find(({ type }) => type === 'brand')?.former;
    // Two products may have one site: another plan has that brand.
    if (former === undefined || owners?.has(former.id)) return null;
    return `${name} in ${file} would be a new brand, without the history of ${former.name}: id = ${JSON.stringify(former.id)} in [brand] keeps it, and svc admin apply begins a new one.`;
  }

  /** The brand of the plan, which is added if the database does not have it. */
  async #brand(catalog: Catalog) {
    const { db, clock, log, afterDays } = this.#options;
    const { id } = catalog.brand;
    const stored = async () => (await brandKeyOf(db, { id }))[0];
    const known = await stored();
    if (known) return known;
    const { changes } = await catalogChanges(db, catalog, clock());
    try {
      await applyCatalog(db, catalog, { now: clock(), expected: changes, afterDays });
      log.info({ brand: id, changes: changes.length }, 'the brand of the plan was added');
    } catch (error) {
      // Another server may have added it at the same time.
      if (!(await stored())) throw error;
    }
    return (await stored())!;
  }

  /** Notes why the plan cannot be used. What is planned stays, with the reason. */
  async #refuse(fault: string): Promise<null> {
    this.#tell('warn', UNUSABLE, { fault }, fault);
    this.#status = { ...this.#status, schedule: null, fault };
    const now = this.#options.clock();
    const today = utcDay(now);
    const collections = await this.#collections();
    const planned = collections.filter(isPlanned);
    const missed = planned.map(({ day }) => day).filter((day) => day < today);
    const [next] = planned.filter(({ day }) => day >= today);
    const isAsked = collections.some(({ day, journal }) => day === today && journal !== null);
    const obstacle = { reason: fault, remedy: 'correct_plan' as const };
    if (next) await this.#store({ next: { day: next.day, dueAt: next.dueAt ?? now, ...obstacle }, missed });
    else if (!isAsked) await this.#store({ next: { day: today, dueAt: now, ...obstacle }, missed });
    return null;
  }

  /** Says that the file has prompts that are not asked. */
  async #compare(catalog: Catalog): Promise<void> {
    const { db, clock, file } = this.#options;
    const { length: changes } = (await catalogChanges(db, catalog, clock())).changes;
    if (changes === 0) return;
    const message = `${file} has changes that are not in the database; svc admin apply writes them`;
    this.#tell('warn', message, { changes }, `${message} ${changes}`);
  }

  async #due({ catalog, schedule }: UsablePlan): Promise<Due> {
    const { clock } = this.#options;
    const now = clock();
    const journal = await journalIdOf(this.#out(catalog.brand.id, utcDay(now)));
    const due = nextDue(schedule, await this.#collections(), journal, now);
    if (due.ahead !== null) {
      const message = 'the database has a collection of a later day: a clock was set back';
      this.#tell('warn', message, { day: due.ahead }, message + due.ahead);
    }
    return due;
  }

  async #planNext(usable: UsablePlan, { day, at, missed }: Due): Promise<void> {
    const { reason, remedy } = this.#obstacle(usable);
    if (missed.length > 0) this.#options.log.warn({ days: missed }, 'days without a collection');
    await this.#store({ next: { day, dueAt: at, reason, remedy }, missed });
  }

  /** Why the next collection cannot begin: what ended the last try, or a key that is not in the environment. */
  #obstacle(usable: UsablePlan): Pick<Collection, 'reason' | 'remedy'> {
    if (this.#isPaused(usable, this.#options.clock())) return this.#pause!;
    const faults = planKeyFaults(usable.plan, this.#options.env);
    return faults.length === 0
      ? { reason: null, remedy: null }
      : { reason: faults.join('\n'), remedy: 'restart' };
  }

  async #store(planned: Omit<Parameters<typeof planCollections>[2], 'now'>): Promise<void> {
    const { db, clock } = this.#options;
    if (this.#brandKey === null) return;
    await planCollections(db, this.#brandKey, { ...planned, now: clock() });
    this.#status = { ...this.#status, ...stateOf(await this.#collections()) };
  }

  async #collections(): Promise<Collection[]> {
    return this.#brandKey === null ? [] : recentCollections(this.#options.db, this.#brandKey);
  }

  #out(brand: string, day: string): string {
    const { location, env } = this.#options;
    return stateFile(location, brand, day, env);
  }

  /** Whether an error was told already that another try would repeat. A plan that has changed ends the pause. */
  #isPaused(usable: UsablePlan, now: Date): boolean {
    if (this.#pause === null) return false;
    const { until, plan } = this.#pause;
    const left = until - now.getTime();
    return left > 0 && left <= REPEAT_MS && plan === JSON.stringify(usable);
  }

  async #collect(usable: UsablePlan<Schedule | null>, day: string): Promise<void> {
    const { log } = this.#options;
    const { brand } = usable.catalog;
    this.#status = { ...this.#status, isRunning: true };
    this.#options.report?.(this.#status);
    try {
      const { result, spent } = await collectScheduled(
        usable,
        day,
        this.#out(brand.id, day),
        this.#options,
        this.#stopping.signal,
      );
      this.#pause = null;
      this.#told.delete(FAILED);
      const { missing = 0 } = result ?? {};
      log.info(
        { brand: brand.id, day, missing, calls: spent.calls, cost_usd: spent.usd },
        missing === 0
          ? 'collection ended: every run of the plan exists'
          : 'collection ended: runs are missing',
      );
    } catch (error) {
      const { message: reason } = error as Error;
      // The server stops, and the next start goes on with what the journal has.
      if (refusesChanges(error)) return log.info({ brand: brand.id, day, reason }, 'collection waits');
      const isLasting = failureKindOf(error) === 'usage' || failureKindOf(error) === 'not_found';
      const isBusy = error instanceof JournalInUseError || error instanceof CollectionTakenError;
      const pauseMs = isLasting ? REPEAT_MS : TRY_AGAIN_MS;
      const until = this.#options.clock().getTime() + pauseMs;
      const remedy = error instanceof SetupError ? error.remedy : null;
      this.#pause = { plan: JSON.stringify(usable), until, reason, remedy };
      if (isBusy) log.info({ brand: brand.id, day, reason }, BUSY);
      // What is expected has no stack, and is the same at every try until somebody mends it.
      else if (error instanceof ExpectedError)
        this.#tell('error', FAILED, { brand: brand.id, day, reason }, day + reason);
      else log.error({ brand: brand.id, day, err: error }, FAILED);
    } finally {
      this.#status = { ...this.#status, isRunning: false };
    }
  }

  /** Logs once what every look would find again. @param what Another one is logged again. */
  #tell(level: 'info' | 'warn' | 'error', message: string, fields: object, what: string): void {
    if (this.#told.get(message) === what) return;
    this.#told.set(message, what);
    this.#options.log[level](fields, message);
  }
}

function faultOf(error: Error, file: string): string {
  const { code, path = file } = error as NodeJS.ErrnoException;
  return code === undefined ? error.message : `${path} cannot be read (${code}).`;
}
