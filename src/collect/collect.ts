/** A collection from its files: what is left to do, and doing it. */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NonAnswer } from '../contract/surfaces.js';
import { DataFolderError, type FolderLock, makeFolder, takeLock } from '../server/database/data-folder.js';
import { type JournalCost, spentIn } from './budget.js';
import { Collection, type CollectionOptions, type CollectionResult } from './collection.js';
import { earlierJournals, History, JOURNAL, Journal, type Step } from './journal.js';
import { CollectFileError, fileErrorOf, LineFile, readLines } from './line-file.js';
import type { CollectPlan } from './plan/plan.js';
import { requireShortPrompts } from './plan/provider-faults.js';
import { kindsOf, type Preview, previewOf } from './preview.js';
import { runsOf, type ScheduledRun, scheduleOf } from './schedule.js';
import type { Subject } from './subject.js';

export interface CollectRequest {
  readonly plan: CollectPlan;
  readonly subject: Subject;
  /** The UTC day of the runs. */
  readonly date: string;
  /** The dataset file. The journal is next to it. */
  readonly out: string;
  readonly resume: boolean;
  /** Answers of these kinds are asked for again, though they were paid. */
  readonly retry: readonly NonAnswer[];
  /** Nothing new is asked: what was paid is fetched and written. */
  readonly paidOnly?: boolean;
}

export interface Prospect {
  readonly schedule: readonly ScheduledRun[];
  readonly preview: Preview;
  /** Runs in the dataset file that the source of the prompts does not have. */
  readonly unimported: number;
  /** What the calls of the journal cost so far. */
  readonly spent: JournalCost;
  /** The UTC days with runs of the brand. */
  readonly days: ReadonlySet<string>;
}

/** Looks at what is left to do. Writes nothing. */
export async function prospect(request: CollectRequest): Promise<Prospect> {
  requireShortPrompts(request.plan, request.subject.prompts);
  const path = request.out + JOURNAL;
  const history = History.of(await readLines(path), path);
  if (history.brand !== undefined && history.brand !== request.subject.brand.id)
    throw new CollectFileError(
      path,
      `it is the journal of ${history.brand}, not of ${request.subject.brand.id}`,
    );
  for (const earlier of await earlierJournals(path)) history.learnFrom(earlier);
  const runs = runsIn(await readLines(request.out), request.out);
  const written = new Set(runs.map(({ id }) => id));
  const schedule = await scheduleOf({ ...request, history, written });
  const known = written.size > 0 ? await request.subject.stored([...written]) : written;
  const preview = previewOf(request.plan, schedule, history);
  const days = new Set([...runs.map(({ day }) => day), ...(await request.subject.days())]);
  const spent = spentIn(history, kindsOf(request.plan));
  return { schedule, preview, unimported: written.size - known.size, days, spent };
}

/** The request with a subject that needs no database any more: it has the runs of the plan that are stored. */
export async function detached(request: CollectRequest): Promise<CollectRequest> {
  const { subject } = request;
  const stored = await subject.stored(runsOf(request).map(({ id }) => id));
  const days = await subject.days();
  return { ...request, subject: { ...subject, stored: async () => stored, days: async () => days } };
}

type CollectDeps = Omit<
  CollectionOptions,
  'plan' | 'subject' | 'schedule' | 'date' | 'journal' | 'out' | 'keepRaw' | 'keepOdd'
> & {
  /** The folder for raw responses; null: they are not kept. */
  readonly rawFolder: string | null;
  /** Called with the id of the journal before anything is sent. If it throws, nothing is. */
  readonly begin?: (journal: string) => Promise<void>;
};

/**
 * Does what is left to do. The files are locked, so that no other process asks the same.
 * @throws CollectFileError
 */
export async function collect(request: CollectRequest, deps: CollectDeps): Promise<CollectionResult> {
  const path = request.out + JOURNAL;
  const lock = await lockJournal(path);
  try {
    const keepRaw = await rawKeeper(deps.rawFolder);
    const keepOdd = oddKeeper(`${request.out}.malformed`);
    const { file: out } = await LineFile.open(request.out);
    let journal: Journal | undefined;
    try {
      journal = await Journal.open(path, request.subject.brand.id);
      await deps.begin?.(journal.history.id!);
      // Again, because another process may have collected in the meantime.
      const { schedule } = await prospect(request);
      for (const earlier of await earlierJournals(path)) journal.history.learnFrom(earlier);
      return await new Collection({ ...request, ...deps, schedule, journal, out, keepRaw, keepOdd }).run();
    } finally {
      await journal?.close();
      await out.close();
    }
  } finally {
    await lock.release();
  }
}

/** Another process of this machine collects the same day of the brand. */
export class JournalInUseError extends CollectFileError {}

/** Makes the folder of a journal, and locks the journal for this process. */
async function lockJournal(path: string): Promise<FolderLock> {
  const inUse = (pid: number) => new JournalInUseError(path, `process ${pid} writes it`);
  try {
    await makeFolder(dirname(path));
    return await takeLock(`${path}.lock`, inUse);
  } catch (error) {
    throw error instanceof DataFolderError ? fileErrorOf(path, error) : error;
  }
}

interface WrittenRun {
  readonly id: string;
  readonly day: string;
}

/** The runs in a dataset file. @throws CollectFileError for a line that is not JSON. */
function runsIn(lines: readonly string[], path: string): WrittenRun[] {
  const records = lines.map((line, at) => {
    try {
      return line.trim() === '' ? null : (JSON.parse(line) as Readonly<Record<string, unknown>> | null);
    } catch {
      throw new CollectFileError(path, `line ${at + 1} is not JSON`);
    }
  });
  return records.flatMap((record) =>
    record?.type === 'run' ? [{ id: String(record.id), day: String(record.collected_at).slice(0, 10) }] : [],
  );
}

/**
 * Writes the raw response of each step: `ID.json`, and `ID.extraction.json`.
 * @throws CollectFileError, before anything is sent, if there can be no such folder.
 */
async function rawKeeper(folder: string | null) {
  if (folder === null) return null;
  try {
    await makeFolder(folder);
  } catch (error) {
    throw fileErrorOf(folder, error);
  }
  return async (run: string, step: Step, body: string): Promise<void> => {
    const path = join(folder, `${run}${step === 'ask' ? '' : '.extraction'}.json`);
    await writeFile(path, body).catch((error: unknown) => {
      throw fileErrorOf(path, error);
    });
  };
}

/** The most responses kept of one collection: enough to see what a provider has changed. */
const MAX_ODD = 20;

/** Keeps some responses that are no answers. The folder is made when there is one. */
function oddKeeper(folder: string) {
  let kept = 0;
  let keeper: ReturnType<typeof rawKeeper> | undefined;
  return async (run: string, step: Step, body: string): Promise<void> => {
    if (kept++ >= MAX_ODD) return;
    keeper ??= rawKeeper(folder);
    await (await keeper)?.(run, step, body);
  };
}
