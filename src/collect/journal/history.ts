/** What happened before, from the events of a journal. */
import type { Usage } from '../protocols/protocol.js';
import { type Attempt, type AttemptOutcome, type JournalEvent, journalEvent, type Step } from './events.js';
import { CollectFileError } from './file-error.js';

/** The newest attempt of a step, and its outcome; none: the process ended before it was known. */
export interface PastCall {
  readonly attempt: Attempt;
  readonly outcome: AttemptOutcome | undefined;
}

export class History {
  /** The brand of the journal; undefined: the journal is new. */
  brand: string | undefined;
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
    if (event.event === 'journal') this.brand = event.brand;
    else if (event.event === 'attempt') this.#note({ attempt: event, outcome: undefined });
    else {
      const past = this.#calls.get(event.call);
      if (past) this.#note({ attempt: past.attempt, outcome: event });
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

  /** The number of the next call. */
  get nextCall(): number {
    return this.#last + 1;
  }

  /** Calls that were or may have been charged. */
  get charged(): PastCall[] {
    return [...this.#calls.values()].filter(({ outcome }) => outcome?.outcome !== 'not_charged');
  }

  /** The usage of every call of a kind that states it; if there is none, that of earlier journals. */
  usages(kind: string): Usage[] {
    const own = this.#ownUsages(kind);
    return own.length > 0 ? own : this.#earlier.flatMap((history) => history.usages(kind));
  }

  /** The same of this journal and earlier ones. */
  allUsages(kind: string): Usage[] {
    return [this, ...this.#earlier].flatMap((history) => history.#ownUsages(kind));
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
