import { printable } from '../../contract/printable.js';
import { isMissingUserAgent } from '../../logs/agents/agent.js';
import {
  type AddressList,
  EXPECTED_PROXIES,
  proxyList,
  readProxies,
  shippedLists,
} from '../../logs/clients/lists.js';
import { createVerifier } from '../../logs/clients/verify.js';
import type { Entry as LogEntry } from '../../logs/entry.js';
import { canonicalPath } from '../../logs/hit.js';
import { createLogParser, type LogCounts, type LogParser, type LogParserOptions } from '../../logs/parse.js';
import { latin1, namesColumns, opensDocument } from '../../sdk/ingest/batches.js';
import { currentTime } from '../clock.js';
import { CommandError } from '../command-error.js';
import { grouped } from '../render/view.js';

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

/** Hits by the address of their client. */
export interface Clients {
  /** Hits whose record has it. */
  usable: number;
  verified: number;
  unverified: number;
  unknown: number;
}

export const noClients = (): Clients => ({ usable: 0, verified: 0, unverified: 0, unknown: 0 });

/** Parses every line of one input with the server's parser. */
export class Inspector {
  /** Hits by agent key. */
  readonly agents = new Map<string, number>();
  readonly clients = noClients();
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
    const { verify, clientOf } = createVerifier([...shippedLists, proxiesOf(process.env)], currentTime());
    this.#options = {
      now: currentTime(),
      verifier: {
        clientOf,
        verify: (agent, entry) => {
          if (clientOf(entry) !== null) this.clients.usable++;
          return verify(agent, entry);
        },
      },
      onHit: ({ agent, verified }) => {
        this.agents.set(agent, (this.agents.get(agent) ?? 0) + 1);
        this.clients[verified === null ? 'unknown' : verified ? 'verified' : 'unverified']++;
      },
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
    this.#parser = createLogParser({ ...this.#options, now: currentTime() });
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

/** The proxies that the server is told of by the same variable. @throws CommandError `usage` */
function proxiesOf({ CRAWLER_LOG_PROXIES: text }: NodeJS.ProcessEnv): AddressList {
  const proxies = text ? readProxies(text) : [];
  if (proxies) return proxyList(proxies);
  throw new CommandError('usage', `CRAWLER_LOG_PROXIES: expected ${EXPECTED_PROXIES}; got ${text}`);
}

const sum = (a: Counts, b: Pick<LogCounts, Counted>): Counts => ({
  records: a.records + b.records,
  totalLines: a.totalLines + b.totalLines,
  unparsed: a.unparsed + b.unparsed,
  blank: a.blank + b.blank,
  notRequests: a.notRequests + b.notRequests,
  matched: a.matched + b.matched,
});

const SHOWN = 160;

/** The reasons why a log contains no hits, by the form of its first line. */
const causes: readonly (readonly [RegExp, string])[] = [
  [
    /heroku\[?\s?router|at=info method=/,
    "Heroku's router logs no user agent: ship the web server's or the CDN's log.",
  ],
  [
    /"RequestPath"|"DownstreamStatus"/,
    'Traefik drops headers unless accessLog.fields.headers keeps User-Agent.',
  ],
  [/haproxy/, 'HAProxy logs a user agent only where the configuration captures that header.'],
  [/" \d{3} (?:\d+|-)\s*$/, 'This is the common format: use the combined one, which has the user agent.'],
];

/** Prefixes that other programs add to a log line. */
const prefixed =
  /^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ \S+: |[\w.-]+ +\| |\d{4}-\d\d-\d\dT\S+ \S+ \S+: )/;

type Part = 'user agent' | 'path';
const advice: { readonly [part in Part]: string } = {
  'user agent': 'Log the User-Agent header.',
  path: 'Log the path of the request.',
};

/** A problem of an input, and the advice for it. */
export interface Problem {
  readonly statement: string;
  readonly advice: string;
}

/** The number of records with a problem, and one of them. */
interface Example {
  readonly count: number;
  readonly line: string;
}

/** Counts the missing fields in the first requests of an input. */
class FirstRequests {
  count = 0;
  readonly #lacking: { [part in Part]?: Example } = {};

  /** @param bytes The record, valid during the call. */
  add({ userAgent, target }: LogEntry, bytes: Buffer): void {
    this.count += 1;
    if (isMissingUserAgent(userAgent)) this.#lacks('user agent', bytes);
    if (canonicalPath(target) === null) this.#lacks('path', bytes);
  }

  #lacks(part: Part, bytes: Buffer): void {
    const { count, line } = this.#lacking[part] ?? { count: 0, line: bytes.toString('utf8') };
    this.#lacking[part] = { count: count + 1, line };
  }

  /** The problem that more than `share` of the requests lack a required field; null: they do not. */
  problem(subject: string, share: number): Problem | null {
    const parts = (Object.keys(this.#lacking) as Part[]).filter(
      (part) => this.#lacking[part]!.count > share * this.count,
    );
    const [part] = parts;
    if (part === undefined) return null;
    const { line } = this.#lacking[part]!;
    const counts = parts.map((each) => `${grouped(this.#lacking[each]!.count)} state no ${each}`);
    const requests = this.count === 1 ? 'request' : `${grouped(this.count)} requests`;
    const statement = `Of the first ${requests} of ${subject} ${counts.join(' and ')}, so they match nothing, such as: ${shown(line)}`;
    return { statement, advice: causes.find(([pattern]) => pattern.test(line))?.[1] ?? advice[part] };
  }
}

/** The problem that no record of an input could be parsed. */
export function unreadable(subject: string, { count, line }: Example): Problem {
  const lines =
    count === 1
      ? `The first line of ${subject} cannot`
      : `None of the first ${count} lines of ${subject} can`;
  const advice = prefixed.test(line)
    ? 'The log line begins with a prefix: try --strip-prefix.'
    : 'Access logs in combined format, JSON lines, JSON documents and W3C logs are read.';
  return { statement: `${lines} be parsed, such as: ${shown(line)}`, advice };
}

/**
 * Whether a line is a record of the dataset format: its first field is the type, and it names what it belongs to. Logs have
 * such fields too, but then the parser finds a request in the line.
 */
const isDatasetRecord = (line: string): boolean =>
  /^\s*\{\s*"type"\s*:\s*"[a-z_]+"\s*,/.test(line) && /"(?:brand|workspace|plan)"\s*:\s*"/.test(line);

/** A record as one short line that is safe for a terminal. */
function shown(line: string): string {
  // Replaces each sequence of bytes that is not UTF-8 by one character.
  const characters = [...printable(line).replace(/\ufffd+/g, '\ufffd')];
  return characters.length <= SHOWN ? characters.join('') : `${characters.slice(0, SHOWN).join('')}…`;
}
