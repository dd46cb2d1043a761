import { createLogParser, type LogCounts, type LogParser } from '../../logs/index.js';
import { latin1, namesColumns, opensDocument } from '../../sdk/ingest/second.js';
import { firstLinesWarning } from './first-lines.js';

/** A parser remembers the hits of its body; a log that is followed for months must not fill the memory. */
const RENEW_AFTER_BYTES = 4 * 1024 * 1024;
const FIRST_LINES = 10;

type Counted = 'records' | 'totalLines' | 'unparsed' | 'blank' | 'notRequests' | 'matched';
export type Counts = Record<Counted, number>;

interface Listeners {
  readonly warn: (message: string) => void;
  readonly onUnparsed: ((lineNumber: number, bytes: Buffer) => void) | undefined;
}

/** Looks at every line of one input with the server's own parser. */
export class Inspector {
  /** Hits by agent key. */
  readonly agents = new Map<string, number>();
  readonly #listeners: Listeners;
  readonly #done: Counts = {
    records: 0,
    totalLines: 0,
    unparsed: 0,
    blank: 0,
    notRequests: 0,
    matched: 0,
  };
  #parser: LogParser;
  #bytes = 0;
  #lines = 0;
  /** Lines before the present parser's first, repeated directives aside. */
  #linesBefore = 0;
  #directives: Uint8Array[] = [];
  #isDocument: boolean | undefined;
  #first: Uint8Array | undefined;
  #isJudged = false;

  constructor(listeners: Listeners) {
    this.#listeners = listeners;
    this.#parser = this.#newParser();
  }

  /** Whether the line is of interest to the server: a hit, a directive, or a part of a document. */
  take(line: Uint8Array): boolean {
    const text = latin1(line.subarray(0, 256));
    if (text >= '$') {
      this.#isDocument ??= opensDocument(latin1(line));
      this.#first ??= line.slice();
    }
    if (this.#bytes > RENEW_AFTER_BYTES && !this.#isDocument) this.#renew();
    const before = this.#parser.counts.matched;
    this.#parser.push(line);
    this.#bytes += line.length;
    this.#lines += 1;
    if (!this.#isJudged) this.#judge(FIRST_LINES);
    const isDirective = text.startsWith('#') || namesColumns(latin1(line));
    if (isDirective) this.#remember(line, text);
    return this.#isDocument === true || isDirective || this.#parser.counts.matched > before;
  }

  /** Parses what is left. */
  end(): void {
    this.#renew();
    if (!this.#isJudged) this.#judge(1);
  }

  get counts(): Counts {
    return sum(this.#done, this.#parser.counts);
  }

  #newParser(): LogParser {
    return createLogParser({
      now: new Date(),
      onHit: ({ agent }) => this.agents.set(agent, (this.agents.get(agent) ?? 0) + 1),
      onUnparsed: (number, bytes) => this.#listeners.onUnparsed?.(this.#linesBefore + number, bytes),
    });
  }

  #renew(): void {
    this.#parser.end();
    Object.assign(this.#done, sum(this.#done, this.#parser.counts));
    this.#bytes = 0;
    this.#parser = this.#newParser();
    for (const line of this.#directives) this.#parser.push(line);
    this.#linesBefore = this.#lines - this.#directives.length;
    this.#done.records -= this.#directives.length;
    this.#done.blank -= this.#directives.length;
  }

  #remember(line: Uint8Array, text: string): void {
    const name = text.split(':', 1)[0]!;
    const others = this.#directives.filter((known) => !latin1(known).startsWith(name));
    this.#directives = [...others, line.slice()];
  }

  /** Warns where the first lines can never match, once there are enough of them. */
  #judge(enough: number): void {
    const { records, blank, unparsed } = this.counts;
    if (records - blank < enough || this.#first === undefined) return;
    this.#isJudged = true;
    const allUnparsed = unparsed === records - blank;
    const hasUserAgent = this.#parser.counts.hasUserAgent || this.counts.matched > 0;
    const warning = firstLinesWarning(latin1(this.#first), allUnparsed, hasUserAgent);
    if (warning !== null) this.#listeners.warn(warning);
  }
}

const sum = (a: Counts, b: Pick<LogCounts, Counted>): Counts => ({
  records: a.records + b.records,
  totalLines: a.totalLines + b.totalLines,
  unparsed: a.unparsed + b.unparsed,
  blank: a.blank + b.blank,
  notRequests: a.notRequests + b.notRequests,
  matched: a.matched + b.matched,
});
