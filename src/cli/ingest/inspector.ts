import {
  createLogParser,
  type LogCounts,
  type LogEntry,
  type LogParser,
  type LogParserOptions,
} from '../../logs/index.js';
import { latin1, namesColumns, opensDocument } from '../../sdk/ingest/batches.js';
import { CommandError } from '../failure/command-error.js';
import { type Example, FirstRequests, isDatasetRecord, type Problem, unreadable } from './format-hints.js';

/** The parser is replaced after these bytes. It keeps the hits of its body, so a followed log would fill the memory. */
const RENEW_AFTER_BYTES = 4 * 1024 * 1024;
/** An input is unreadable if this number of first records could not be parsed. */
const FIRST_RECORDS = 10;
/** If most of the first requests, up to this number, lack a field, the problem is reported. */
const FIRST_REQUESTS = 100;

type Counted = 'records' | 'totalLines' | 'unparsed' | 'blank' | 'notRequests' | 'matched';
export type Counts = Record<Counted, number>;

interface Listeners {
  /** Called if most of the first requests cannot match an agent. */
  readonly onUnmatchable: (problem: Problem) => void;
  /** Called if none of the first records can be parsed; may throw. */
  readonly onUnreadable: (problem: Problem) => void;
  readonly onUnparsed: ((lineNumber: number, bytes: Buffer) => void) | undefined;
}

/** Parses every line of one input with the server's parser. */
export class Inspector {
  /** Hits by agent key. */
  readonly agents = new Map<string, number>();
  readonly #subject: string;
  readonly #listeners: Listeners;
  readonly #done: Counts = {
    records: 0,
    totalLines: 0,
    unparsed: 0,
    blank: 0,
    notRequests: 0,
    matched: 0,
  };
  readonly #options: LogParserOptions;
  #parser: LogParser;
  #bytes = 0;
  #lines = 0;
  /** The number of lines before the first line of the current parser, without repeated directives. */
  #linesBefore = 0;
  #directives: Uint8Array[] = [];
  #isDocument: boolean | undefined;
  /** Undefined after the first requests were checked. */
  #requests: FirstRequests | undefined = new FirstRequests();
  /** The records before the first parsed one; undefined: one was parsed, or the problem was reported. */
  #unreadable: Example | undefined = { count: 0, line: '' };

  /** @param subject The name of the input in messages. */
  constructor(subject: string, listeners: Listeners) {
    this.#subject = subject;
    this.#listeners = listeners;
    this.#options = {
      now: new Date(),
      onHit: ({ agent }) => this.agents.set(agent, (this.agents.get(agent) ?? 0) + 1),
      onUnparsed: (number, bytes) => this.#takeUnparsed(number, bytes),
      onRequest: (entry, bytes) => this.#takeRequest(entry, bytes),
    };
    this.#parser = createLogParser(this.#options);
  }

  /** Whether no record has been parsed yet. */
  get isDoubtful(): boolean {
    return this.#unreadable !== undefined;
  }

  /**
   * Parses a line. Returns whether the server needs it: it is a hit, a directive, or a part of a document.
   * @throws CommandError `usage` if the first line is one of a dataset.
   */
  take(line: Uint8Array): boolean {
    const text = latin1(line.subarray(0, 256));
    if (text >= '$') this.#isDocument ??= opensDocument(latin1(line));
    if (this.#bytes > RENEW_AFTER_BYTES && !this.#isDocument) this.#renew();
    const before = this.#parser.counts.matched;
    this.#parser.push(line);
    this.#bytes += line.length;
    this.#lines += 1;
    if (this.#lines === 1) this.#requireLog(line);
    this.#judgeRecords(FIRST_RECORDS);
    const isDirective = text.startsWith('#') || namesColumns(latin1(line));
    if (isDirective) this.#remember(line, text);
    return this.#isDocument === true || isDirective || this.#parser.counts.matched > before;
  }

  /** Parses the rest. */
  end(): void {
    this.#renew();
    this.#judgeRecords(1);
    this.#judgeRequests();
  }

  get counts(): Counts {
    return sum(this.#done, this.#parser.counts);
  }

  #renew(): void {
    this.#parser.end();
    Object.assign(this.#done, sum(this.#done, this.#parser.counts));
    this.#bytes = 0;
    this.#parser = createLogParser({ ...this.#options, now: new Date() });
    for (const line of this.#directives) this.#parser.push(line);
    this.#linesBefore = this.#lines - this.#directives.length;
    this.#done.records -= this.#directives.length;
    this.#done.blank -= this.#directives.length;
  }

  #requireLog(line: Uint8Array): void {
    if (this.#parser.counts.totalLines > 0 || !isDatasetRecord(latin1(line))) return;
    throw new CommandError('usage', `${this.#subject} is a dataset, not a log. Nothing of it was sent.`, {
      hint: 'On the machine of the server `svc admin import` loads it; docs/dataset.md.',
    });
  }

  #remember(line: Uint8Array, text: string): void {
    const name = text.split(':', 1)[0]!;
    const others = this.#directives.filter((known) => !latin1(known).startsWith(name));
    this.#directives = [...others, line.slice()];
  }

  #takeUnparsed(number: number, bytes: Buffer): void {
    const { count, line } = this.#unreadable ?? {};
    if (count !== undefined) this.#unreadable = { count: count + 1, line: line || bytes.toString('utf8') };
    this.#listeners.onUnparsed?.(this.#linesBefore + number, bytes);
  }

  #takeRequest(entry: LogEntry, bytes: Buffer): void {
    const requests = this.#requests;
    if (requests === undefined) return;
    requests.add(entry, bytes);
    // If nearly all of the first ten requests lack a field, no more requests are needed.
    const isPlain = requests.count === FIRST_RECORDS && requests.problem(this.#subject, 0.9) !== null;
    if (isPlain || requests.count === FIRST_REQUESTS) this.#judgeRequests();
  }

  /** Reports that no record can be parsed, once there are `enough`. */
  #judgeRecords(enough: number): void {
    if (this.#unreadable === undefined) return;
    const { records, blank, unparsed } = this.counts;
    const example = this.#unreadable;
    if (records - blank === unparsed && unparsed < enough) return;
    this.#unreadable = undefined;
    if (records - blank === unparsed) this.#listeners.onUnreadable(unreadable(this.#subject, example));
  }

  /** Reports that most of the first requests cannot match. */
  #judgeRequests(): void {
    const problem = this.#requests?.problem(this.#subject, 0.5) ?? null;
    this.#requests = undefined;
    this.#options.onRequest = undefined;
    if (problem !== null) this.#listeners.onUnmatchable(problem);
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
