/** The journal next to a dataset file: every attempt is written and flushed before it is sent. */

import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { nonAnswers, observables } from '../contract/surfaces.js';
import { ad, carousel } from '../server/intake/dataset/records/run-children.js';
import { CollectFileError, LineFile, readLines } from './line-file.js';
import type { Answer, Usage } from './protocols/protocol.js';

// The lines of a journal. An attempt is on disk before its request is sent, its outcome before anything else happens.

/** A run takes up to two calls: to the engine, and to the model that finds names in the answer. */
const steps = ['ask', 'extract'] as const;
export type Step = (typeof steps)[number];

/**
 * `answered`, `not_shown`, and the non-answers: paid. `not_charged`: provably not. `failed`, `lost`: the engine may have charged for it.
 */
const outcomes = ['answered', 'not_shown', ...nonAnswers, 'not_charged', 'failed', 'lost'] as const;
export type Outcome = (typeof outcomes)[number];
const FAULTS: readonly Outcome[] = ['failed', 'lost'];

const usage = z.object({
  input: z.number().nullable(),
  output: z.number().nullable(),
  searches: z.number().nullable(),
  costUsd: z.number().nullable(),
}) satisfies z.ZodType<Usage>;

const answer = z.object({
  text: z.string(),
  model: z.string().nullable(),
  citations: z.array(z.object({ url: z.string(), title: z.string().exactOptional() })).readonly(),
  fanouts: z.array(z.string()).readonly(),
  observes: z.array(z.enum(observables)).readonly().exactOptional(),
  carousels: z.array(carousel).readonly().exactOptional(),
  ad: ad.exactOptional(),
}) satisfies z.ZodType<Answer>;

const header = z.object({
  event: z.literal('journal'),
  version: z.literal(1),
  brand: z.string(),
  /** What tells this journal from one of another machine. */
  id: z.string(),
});
const attempt = z.object({
  event: z.literal('attempt'),
  /** The number of the call, from 1 in each journal. */
  call: z.int(),
  run: z.string(),
  step: z.enum(steps),
  /** `kindId` of the call. */
  kind: z.string(),
  at: z.string(),
  /** What the call may cost, as far as it was known before. */
  reserved_usd: z.number().nullable(),
  /** What names the question to a provider, so that the same one is not paid twice. */
  id: z.string().exactOptional(),
});
/** What a provider calls the result of an attempt. The last of several counts. */
const handle = z.object({ event: z.literal('handle'), call: z.int(), handle: z.string(), at: z.string() });
const outcome = z.object({
  event: z.literal('outcome'),
  call: z.int(),
  outcome: z.enum(outcomes),
  at: z.string(),
  detail: z.string().nullable(),
  usage: usage.nullable(),
  cost_usd: z.number().nullable(),
  /** The answer; null in the step `extract`. */
  answer: answer.nullable(),
  /** The text of the reply; null in the step `ask`. */
  reply: z.string().nullable(),
});

const journalEvent = z.discriminatedUnion('event', [header, attempt, handle, outcome]);
type JournalEvent = z.infer<typeof journalEvent>;
type Attempt = z.infer<typeof attempt>;
export type AttemptOutcome = z.infer<typeof outcome>;

// What happened before, from the events of a journal.

/** The newest attempt of a step, and its outcome; none: the process ended before it was known. */
export interface PastCall {
  readonly attempt: Attempt;
  /** What its result is fetched by; undefined: it has no name, or none is known. */
  readonly handle: string | undefined;
  readonly outcome: AttemptOutcome | undefined;
}

export interface DatedAnswer {
  /** The UTC day of its run. */
  readonly day: string;
  readonly answer: Answer;
}

const MAX_DAYS = 32;
/** The id of a run begins with its day. */
const DAY_LENGTH = 'YYYY-MM-DD'.length;

export class History {
  /** The brand of the journal; undefined: the journal is new. */
  brand: string | undefined;
  id: string | undefined;
  readonly #calls = new Map<number, PastCall>();
  readonly #newest = new Map<string, PastCall>();
  readonly #earlier: History[] = [];
  #last = 0;

  /** @throws CollectFileError for a line that is not an event of a journal. */
  static of(lines: readonly string[], path: string): History {
    const history = new History();
    for (const [at, line] of lines.entries()) {
      if (line.trim() === '') continue;
      const event = eventOf(line);
      if (!event) throw new CollectFileError(path, `line ${at + 1} is not an event of a journal`);
      history.add(event);
    }
    return history;
  }

  add(event: JournalEvent): void {
    if (event.event === 'journal') {
      this.brand = event.brand;
      this.id = event.id;
    } else if (event.event === 'attempt')
      this.#note({ attempt: event, handle: undefined, outcome: undefined });
    else {
      const past = this.#calls.get(event.call);
      if (!past) return;
      this.#note(event.event === 'handle' ? { ...past, handle: event.handle } : { ...past, outcome: event });
    }
  }

  #note(call: PastCall): void {
    const { attempt } = call;
    this.#calls.set(attempt.call, call);
    this.#last = Math.max(this.#last, attempt.call);
    const id = `${attempt.step} ${attempt.run}`;
    const newest = this.#newest.get(id);
    if (!newest || newest.attempt.call <= attempt.call) this.#newest.set(id, call);
  }

  newest(run: string, step: Step): PastCall | undefined {
    return this.#newest.get(`${step} ${run}`);
  }

  /** The calls that were sent, and whose result can perhaps still be fetched. */
  get open(): PastCall[] {
    return [...this.#newest.values()].filter(
      ({ attempt, handle, outcome }) =>
        outcome === undefined && (handle !== undefined || attempt.id !== undefined),
    );
  }

  /** The UTC days of the runs that were asked, as far back as any provider keeps a result. */
  get days(): string[] {
    const days = [...this.#newest.values()].map(({ attempt }) => attempt.run.slice(0, DAY_LENGTH));
    return [...new Set(days)].sort().slice(-MAX_DAYS);
  }

  get nextCall(): number {
    return this.#last + 1;
  }

  /** Calls that were or may have been charged. */
  get charged(): PastCall[] {
    return [...this.#calls.values()].filter(({ outcome }) => outcome?.outcome !== 'not_charged');
  }

  /** Calls of a step for these runs that failed since the last one that did not. */
  faultsInARow(step: Step, runs: ReadonlySet<string>): number {
    const ended = [...this.#newest.values()]
      .filter(({ attempt }) => attempt.step === step && runs.has(attempt.run))
      .filter(({ outcome }) => outcome !== undefined && outcome.outcome !== 'not_charged')
      .sort((a, b) => a.attempt.call - b.attempt.call);
    const last = ended.findLastIndex(({ outcome }) => !FAULTS.some((fault) => fault === outcome!.outcome));
    return ended.length - 1 - last;
  }

  /** The usage of every call of a kind that states it; if there is none, that of earlier journals. */
  usages(kind: string): Usage[] {
    const own = this.#ownUsages(kind);
    return own.length > 0 ? own : this.#earlier.flatMap((history) => history.usages(kind));
  }

  /** The usage of every call of a kind that states it, of this journal and earlier ones. */
  allUsages(kind: string): Usage[] {
    return [this, ...this.#earlier].flatMap((history) => history.#ownUsages(kind));
  }

  /** The answers of a kind, of this journal and of earlier ones of the same brand. */
  answers(kind: string): DatedAnswer[] {
    return [this, ...this.#earlier.filter(({ brand }) => brand === this.brand)].flatMap((history) =>
      [...history.#newest.values()].flatMap(({ attempt, outcome }) =>
        attempt.kind === kind && outcome?.outcome === 'answered' && outcome.answer
          ? [{ day: attempt.run.slice(0, DAY_LENGTH), answer: outcome.answer }]
          : [],
      ),
    );
  }

  /** Whether a call of the kind cost more than was reserved for it, in this journal or an earlier one. */
  hasOverrun(kind: string): boolean {
    return [this, ...this.#earlier].some(({ charged }) =>
      charged.some(({ attempt, outcome }) => {
        const { reserved_usd } = attempt;
        const cost = outcome?.cost_usd ?? 0;
        return (
          attempt.kind === kind && reserved_usd !== null && reserved_usd > 0 && cost > 1.000001 * reserved_usd
        );
      }),
    );
  }

  #ownUsages(kind: string): Usage[] {
    return [...this.#calls.values()].flatMap(({ attempt, outcome }) =>
      attempt.kind === kind && outcome?.usage ? [outcome.usage] : [],
    );
  }

  /** Adds a journal whose calls show what a call uses. Nothing else of it counts. */
  learnFrom(earlier: History): void {
    this.#earlier.push(earlier);
  }
}

function eventOf(line: string): JournalEvent | undefined {
  try {
    return journalEvent.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

// Earlier journals of the folder: what their calls used is the best estimate of what the next ones use, on average and
// at most.

export const JOURNAL = '.journal';
const MAX_JOURNALS = 3;

/** The newest other journals of the folder. What cannot be read is left out: only estimates depend on it. */
export async function earlierJournals(path: string): Promise<History[]> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const others = names.filter((name) => name.endsWith(JOURNAL) && name !== basename(path));
  const dated = await Promise.all(
    others.map(async (name) => ({
      name,
      time: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  const newest = dated.sort((a, b) => b.time - a.time).slice(0, MAX_JOURNALS);
  const histories = await Promise.all(newest.map(({ name }) => historyIn(join(folder, name))));
  return histories.filter((history) => history !== null);
}

/** The days before this one whose journals in the folder have questions with answers still to come, with their files. */
export async function unfinishedDays(
  out: string,
  brand: string,
  today: string,
): Promise<{ readonly date: string; readonly out: string }[]> {
  const folder = dirname(out);
  const names = await readdir(folder).catch(() => []);
  const days = names.flatMap((name) => {
    const date = name.startsWith(`${brand}-`) ? DAILY.exec(name.slice(brand.length + 1))?.[1] : undefined;
    return date !== undefined && date < today ? [{ date, out: join(folder, `${brand}-${date}.ndjson`) }] : [];
  });
  const newest = days.sort((a, b) => b.date.localeCompare(a.date)).slice(0, MAX_DAYS);
  const open = await Promise.all(
    newest.map(async (day) => ((await historyIn(day.out + JOURNAL))?.open.length ?? 0) > 0),
  );
  return newest.filter((_, at) => open[at]).reverse();
}

const DAILY = /^(\d{4}-\d\d-\d\d)\.ndjson\.journal$/;

/** The id of the journal next to a dataset file; undefined: there is no journal, or it cannot be read. */
export const journalIdOf = async (out: string): Promise<string | undefined> =>
  (await historyIn(out + JOURNAL))?.id;

async function historyIn(path: string): Promise<History | null> {
  try {
    return History.of(await readLines(path), path);
  } catch {
    return null;
  }
}

export class Journal {
  readonly history: History;
  readonly #file: LineFile;

  private constructor(file: LineFile, history: History) {
    this.#file = file;
    this.history = history;
  }

  /** @throws CollectFileError for a file that is not a journal, or the journal of another brand. */
  static async open(path: string, brand: string): Promise<Journal> {
    const { file, lines } = await LineFile.open(path);
    try {
      const history = History.of(lines, path);
      if (lines.length > 0 && history.brand !== brand)
        throw new CollectFileError(
          path,
          `it is the journal of ${history.brand ?? 'no brand'}, not of ${brand}`,
        );
      const journal = new Journal(file, history);
      if (history.id === undefined)
        await journal.#write({ event: 'journal', version: 1, brand, id: randomUUID() });
      return journal;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Writes the attempt. After this it may be sent. Returns its number. */
  async attempt(attempt: Omit<Attempt, 'event' | 'call'>): Promise<number> {
    const call = this.history.nextCall;
    await this.#write({ event: 'attempt', call, ...attempt });
    return call;
  }

  /** Writes what the result of an attempt is fetched by. After this it may be fetched. */
  async handle(call: number, handle: string, at: Date): Promise<void> {
    await this.#write({ event: 'handle', call, handle, at: at.toISOString() });
  }

  async outcome(outcome: Omit<AttemptOutcome, 'event'>): Promise<void> {
    await this.#write({ event: 'outcome', ...outcome });
  }

  /** Notes that the newest answer of a run is none after all. What it cost stays. */
  async reject(run: string, detail: string): Promise<void> {
    const { outcome } = this.history.newest(run, 'ask') ?? {};
    if (outcome) await this.#write({ ...outcome, outcome: 'malformed', detail, answer: null });
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** The history has the event at once, so that numbers of calls differ; the caller goes on when it is on disk. */
  #write(event: JournalEvent): Promise<void> {
    this.history.add(event);
    return this.#file.append(event);
  }
}
