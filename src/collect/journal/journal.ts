/** The journal beside a dataset file: every attempt is written and flushed before it is sent. */
import type { Attempt, AttemptOutcome, JournalEvent } from './events.js';
import { CollectFileError } from './file-error.js';
import { History } from './history.js';
import { LineFile } from './line-file.js';

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
      if (lines.length === 0) await journal.#write({ event: 'journal', version: 1, brand });
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
