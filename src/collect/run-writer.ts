/** Writes the run of an answer, with the names and pages in it. */
import { setImmediate } from 'node:timers/promises';
import { buildRun } from './build-run.js';
import { mentionsOf } from './extraction/mentions.js';
import type { ClaimedName } from './extraction/reply.js';
import type { Journal } from './journal/journal.js';
import type { LineFile } from './journal/line-file.js';
import type { Answer } from './protocols/protocol.js';
import { type RedirectOptions, withoutRedirects } from './redirects.js';
import type { Report } from './report/tally.js';
import type { ScheduledRun } from './schedule.js';
import type { Subject } from './subject.js';

export interface Answered {
  readonly answer: Answer;
  /** When it arrived. */
  readonly at: string;
}

export class RunWriter {
  readonly #subject: Subject;
  readonly #out: LineFile;
  readonly #journal: Journal;
  readonly #redirects: RedirectOptions;
  readonly #report: Report;

  constructor(subject: Subject, out: LineFile, journal: Journal, redirects: RedirectOptions, report: Report) {
    this.#journal = journal;
    this.#subject = subject;
    this.#out = out;
    this.#redirects = redirects;
    this.#report = report;
  }

  /**
   * @param claimed What the extraction model lists; null: the model was not asked, or its reply is malformed.
   * @throws CollectFileError
   */
  async write(
    run: ScheduledRun,
    { answer, at }: Answered,
    claimed: readonly ClaimedName[] | null,
  ): Promise<void> {
    // Between two answers, so that a signal is seen however long it takes to find their names.
    await setImmediate();
    const pages =
      run.target.protocol === 'gemini'
        ? await withoutRedirects(answer.citations, this.#redirects)
        : { citations: answer.citations, unresolved: 0 };
    const { brand, tracked } = this.#subject;
    const found = mentionsOf(answer.text, claimed, tracked);
    const parts = { brand: brand.id, at, answer, citations: pages.citations, mentions: found.mentions };
    const record = buildRun(run, parts);
    const tally = this.#report.of(run.target);
    if (record === null) {
      const detail = 'the dataset format does not accept it';
      await this.#journal.reject(run.id, detail);
      const cause = 'answer';
      this.#report.unanswered(run, 'ask', { outcome: 'malformed', cause, detail, stopsTarget: false });
      return;
    }
    await this.#out.append(record);
    tally.answered++;
    tally.names += found.mentions.length;
    tally.citations += pages.citations.length;
    const { dropped } = this.#report;
    dropped.invented_names += found.inventedNames;
    dropped.invented_spans += found.inventedSpans;
    dropped.added_names += claimed === null ? 0 : found.addedNames;
    dropped.unresolved_pages += pages.unresolved;
  }
}
