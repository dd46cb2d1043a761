/** How shipping ended: the failure that decides the exit code, and advice. */
import type { IngestProgress } from '../../sdk/ingest/ingest.js';
import { CommandError } from '../command-error.js';
import { commandErrorOf } from '../failure/diagnosis.js';
import { counted, duration, grouped, mib } from '../render/view.js';
import { STDIN } from './input.js';
import { type Clients, type Counts, noClients } from './inspector.js';

/** The sums over all inputs. */
export class Totals {
  /** Counted by the server, like the next ones. */
  inserted = 0;
  matched = 0;
  totalLines = 0;
  unparsed = 0;
  batches = 0;
  skippedLines = 0;
  bytesRead = 0;
  /** Bytes of the lines that the server has acknowledged or does not need. */
  bytesDone = 0;
  /** Bytes to read in total, null: unknown. */
  size: number | null = null;
  /** Valid records that are not requests. */
  notRequests = 0;
  readonly isDryRun: boolean;
  bytesSent = 0;
  readonly agents = new Map<string, number>();
  readonly clients = noClients();
  /** Counted by the local parser. */
  lines = 0;
  readonly #started = performance.now();

  constructor(isDryRun: boolean) {
    this.isDryRun = isDryRun;
  }

  /** Adds the counts of one request or its parts. */
  add(sent: IngestProgress): void {
    this.inserted += sent.inserted;
    this.matched += sent.matched;
    this.totalLines += sent.totalLines;
    this.unparsed += sent.unparsed;
    this.batches += sent.bodies;
    this.skippedLines += sent.skippedLines;
    this.bytesSent += sent.bytes;
  }

  /** Adds the counts of one input; in a dry run they replace the server's. */
  inspect(counts: Counts, agents: ReadonlyMap<string, number>, clients: Clients): void {
    this.lines += counts.records - counts.blank;
    this.notRequests += counts.notRequests;
    for (const [agent, hits] of agents) this.agents.set(agent, (this.agents.get(agent) ?? 0) + hits);
    for (const name of ['usable', 'verified', 'unverified', 'unknown'] as const)
      this.clients[name] += clients[name];
    if (!this.isDryRun) return;
    this.matched += counts.matched;
    this.totalLines += counts.totalLines;
    this.unparsed += counts.unparsed;
  }

  /** The unparsed lines, as a percentage of requests and unparsed lines. */
  get unparsedPercent(): number {
    const all = this.totalLines + this.unparsed;
    return all === 0 ? 0 : (100 * this.unparsed) / all;
  }

  get seconds(): number {
    return Math.round(performance.now() - this.#started) / 1000;
  }

  /** Agents by hits, then key. */
  get ranking(): [string, number][] {
    return [...this.agents].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  }

  summary(): string {
    const { isDryRun } = this;
    const known = this.matched - this.inserted;
    const parts = [
      counted(this.lines, 'line'),
      `${counted(this.totalLines, 'request')}, ${grouped(this.matched)} of AI crawlers`,
      `${grouped(this.unparsed)} unparsed`,
      ...(isDryRun
        ? []
        : [`${grouped(this.inserted)} new${known > 0 ? ` (${grouped(known)} already known)` : ''}`]),
      counted(this.agents.size, 'crawler'),
      ...(isDryRun && this.matched > 0 ? [this.#addresses()] : []),
      ...(isDryRun ? ['nothing sent'] : [counted(this.batches, 'batch', 'batches')]),
      ...(this.skippedLines > 0 ? [`${counted(this.skippedLines, 'line')} too long`] : []),
      duration(1000 * this.seconds),
    ];
    return parts.join(' · ');
  }

  /** Whether crawlers can be verified by this log. */
  #addresses(): string {
    const { usable, verified, unverified } = this.clients;
    const part = `client address usable in ${((100 * usable) / this.matched).toFixed(1)} % of these`;
    return usable === 0 ? part : `${part}: ${grouped(verified)} verified, ${grouped(unverified)} of others`;
  }

  /** The part of the input that is done: `3.1 of 12.4 MiB`; null: none. */
  get reach(): string | null {
    if (this.bytesDone === 0) return null;
    const of = this.size === null ? '' : ` of ${mib(this.size)}`;
    const done = mib(this.bytesDone);
    return `${done === mib(0) ? `less than ${mib(1024 ** 2 / 10)}` : done}${of} MiB`;
  }

  json(): object {
    const { isDryRun } = this;
    return {
      dry_run: isDryRun,
      lines: this.lines,
      totalLines: this.totalLines,
      unparsed: this.unparsed,
      matched: this.matched,
      inserted: isDryRun ? null : this.inserted,
      agents: Object.fromEntries(this.ranking),
      ...(isDryRun && { client_addresses: this.clients }),
      batches: this.batches,
      skipped_lines: this.skippedLines,
      bytes_read: this.bytesRead,
      bytes_sent: this.bytesSent,
      seconds: this.seconds,
    };
  }
}

/** Advice on how to ship the rest. */
export const resumeAdvice = (inputs: readonly string[]): string =>
  inputs.includes(STDIN)
    ? 'Run the same command again: nothing counts twice.'
    : 'The same command with --from last goes on there.';

interface FailureContext {
  readonly limit: number | null;
  readonly inputs: readonly string[];
}

/** The failure that determines the exit code; null: there is none. */
export function failureOf(
  error: unknown,
  totals: Totals,
  { limit, inputs }: FailureContext,
): CommandError | null {
  if (error !== undefined) {
    const failure = commandErrorOf(error);
    const { kind, status, retryable, message } = failure;
    const hint = resumeAdvice(inputs);
    if (kind === 'interrupted')
      return new CommandError(kind, `Interrupted; ${totals.reach ?? 'nothing'} was delivered.`, { hint });
    if (totals.batches === 0) return failure;
    const text = `Part of the logs was not delivered, ${totals.reach ?? 'nothing'} was: ${message}`;
    return new CommandError('incomplete', text, { status, retryable, hint });
  }
  if (totals.totalLines === 0 && totals.unparsed > 0) {
    const lines = counted(totals.unparsed, 'line');
    return new CommandError('incomplete', `Nothing could be parsed: ${lines}, and no request among them.`);
  }
  if (totals.skippedLines > 0) {
    return new CommandError(
      'incomplete',
      `${totals.skippedLines} lines are too long for any request and were skipped.`,
    );
  }
  if (limit !== null && totals.unparsedPercent > limit) {
    const share = totals.unparsedPercent.toFixed(1);
    return new CommandError(
      'incomplete',
      `${share} % of the lines could not be parsed; the limit is ${limit} %.`,
    );
  }
  return null;
}
