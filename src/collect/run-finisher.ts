/** Makes the run of an answer: has the names in it found, and writes it. */
import type { Reservation } from './budget/budget.js';
import type { Channel } from './channel.js';
import { claimedNames, extractionInput } from './extraction/reply.js';
import type { History } from './journal/journal.js';
import type { PaidCalls } from './paid-calls.js';
import type { Report } from './report/tally.js';
import type { Answered, RunWriter } from './run-writer.js';
import type { ScheduledRun } from './schedule.js';

export class RunFinisher {
  readonly #extraction: Channel | null;
  readonly #calls: PaidCalls;
  readonly #writer: RunWriter;
  readonly #report: Report;

  /** @param extraction Null: only tracked names are found. */
  constructor(extraction: Channel | null, calls: PaidCalls, writer: RunWriter, report: Report) {
    this.#extraction = extraction;
    this.#calls = calls;
    this.#writer = writer;
    this.#report = report;
  }

  /** Has the names of an answer found, and writes the run. @param reservation Has room for the extraction. */
  async finish(run: ScheduledRun, answered: Answered, reservation: Reservation): Promise<void> {
    const extraction = this.#extraction;
    if (!extraction) return this.#writer.write(run, answered, null);
    const input = extractionInput(answered.answer.text);
    const result = await extraction.limit(async () =>
      extraction.stopped === null ? this.#calls.send(run, extraction, input, reservation) : null,
    );
    // Without a charge, the next collection asks for the names of the answer in the journal.
    if (result === null) return this.#report.wait(run.target);
    if (result.outcome === 'not_charged') return this.#report.unanswered(run, 'extract', result);
    const claimed = result.answer && claimedNames(result.answer.text);
    if (claimed === null) {
      const detail = `${result.detail ?? 'the reply has another shape'}; only tracked names were found`;
      const outcome = result.answer ? 'malformed' : result.outcome;
      this.#report.note(run, 'extract', { ...result, outcome, cause: result.cause ?? 'answer', detail });
    }
    await this.#writer.write(run, answered, claimed);
  }

  /** Writes a run whose answer and names the journal has. */
  write(run: ScheduledRun, answered: Answered, history: History): Promise<void> {
    const reply = history.newest(run.id, 'extract')?.outcome?.reply;
    return this.#writer.write(run, answered, reply == null ? null : claimedNames(reply));
  }
}
