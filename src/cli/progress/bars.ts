/** The last line on a terminal's standard error, which is redrawn while a command works. */
import cliProgress, { type MultiBar } from 'cli-progress';
import type { CollectionProgress } from '../../collect/collection.js';
import type { Searched } from '../../server/intake/dataset/name-search.js';
import type { RebuildProgress } from '../../server/intake/dataset/rollups/rebuild.js';
import { counted, duration, mib, usd } from '../render/view.js';

const REDRAW_MS = 250;
const BAR_WIDTH = 30;
const LEAST_BAR_WIDTH = 8;
const SEPARATOR = ' · ';

/** Redraws the line that `line` returns, four times a second, until it is stopped. */
abstract class LastLine {
  readonly #isWanted: boolean;
  #bars: MultiBar | undefined;

  /** @param isWanted False under --json, --quiet and --no-progress. */
  constructor(isWanted: boolean) {
    this.#isWanted = isWanted && process.stderr.isTTY === true && !process.env.CI;
  }

  /** The text of the line, at most this wide. Called on every redraw. */
  protected abstract line(width: number): string;

  get isShown(): boolean {
    return this.#bars !== undefined;
  }

  async show(): Promise<void> {
    if (!this.#isWanted) return;
    const { default: cliProgress } = await import('cli-progress');
    this.#bars = new cliProgress.MultiBar({
      // One column less, because clearing the rest of the line needs the last column.
      format: () => this.line((process.stderr.columns || 80) - 1),
      fps: 1000 / REDRAW_MS,
      hideCursor: true,
      forceRedraw: true,
      // The first signal does not end the command at once.
      gracefulExit: false,
      stream: process.stderr,
    });
    this.#bars.create(1, 0);
  }

  /** Writes whole lines above the redrawn line, if there is one. */
  write(text: string): void {
    if (this.#bars === undefined) {
      process.stderr.write(text);
      return;
    }
    this.#bars.log(text);
    this.#bars.update();
  }

  stop(): void {
    this.#bars?.update();
    this.#bars?.stop();
    this.#bars = undefined;
  }
}

const joined = (facts: readonly string[]): string => facts.join(SEPARATOR);

/** The columns that a further fact may have. */
export const roomAfter = (facts: readonly string[], width: number): number =>
  width - joined([...facts, '']).length;

/**
 * A bar and facts, fitted to the columns: the last facts are dropped first.
 * @param share From 0 to 1; null: there is no bar.
 * @param least Facts that are never dropped.
 */
export function barLine(
  share: number | null,
  facts: readonly string[],
  least: number,
  width: number,
): string {
  const kept = [...facts];
  while (kept.length > least && joined(kept).length > width) kept.pop();
  const text = joined(kept);
  const room = Math.min(BAR_WIDTH, width - text.length - 1);
  if (share === null || room < LEAST_BAR_WIDTH) return text.slice(0, width);
  const full = Math.round(Math.min(1, share) * room);
  return `${'█'.repeat(full)}${'░'.repeat(room - full)} ${text}`;
}

/** The last line of a collection: a bar, runs, cost so far, calls and waits. */
export class CollectBar extends LastLine {
  #progress: CollectionProgress = { done: 0, total: 0, spent: { calls: 0, usd: 0, assumed_usd: 0 } };
  #waitingUntil = 0;

  update(progress: CollectionProgress): void {
    this.#progress = progress;
  }

  waits(milliseconds: number): void {
    this.#waitingUntil = Math.max(this.#waitingUntil, performance.now() + milliseconds);
  }

  protected override line(width: number): string {
    const { done, total, spent } = this.#progress;
    const rest = this.#waitingUntil - performance.now();
    const cost = spent.usd === null ? [] : [usd(spent.usd)];
    const waiting = rest > 0 ? [`next try in ${duration(Math.ceil(rest / 1000) * 1000)}`] : [];
    const facts = [`${done}/${total}`, ...cost, counted(spent.calls, 'call'), ...waiting];
    return barLine(total === 0 ? 0 : done / total, facts, 1, width);
  }
}

/** The last line of a rebuild of roll-ups: the days of the brand that is being rebuilt. */
export class RollupBar extends LastLine {
  #progress: RebuildProgress | undefined;

  update(progress: RebuildProgress): void {
    this.#progress = progress;
  }

  protected override line(width: number): string {
    if (!this.#progress) return '';
    const { brand, done, total } = this.#progress;
    return barLine(done / total, [`${brand}: ${done}/${counted(total, 'day')}`], 1, width);
  }
}

/** The last line of a search of stored answers for names. */
export class NamesBar extends LastLine {
  readonly #total = new Map<string, number>();
  #answers = 0;
  #last: { readonly brand: string; readonly left: number } | undefined;

  get answers(): number {
    return this.#answers;
  }

  update({ brand, answers, left }: Searched & { readonly brand: string }): void {
    if (!this.#total.has(brand)) this.#total.set(brand, left + 1);
    this.#answers += answers;
    this.#last = { brand, left };
  }

  protected override line(width: number): string {
    if (!this.#last) return '';
    const { brand, left } = this.#last;
    const total = this.#total.get(brand)!;
    const facts = [`${brand}: ${counted(this.#answers, 'answer')} searched`, `${counted(left, 'day')} left`];
    return barLine((total - left) / total, facts, 1, width);
  }
}

/** What the bar shows of an upload, as it is at the time of drawing. */
interface UploadState {
  readonly isDryRun: boolean;
  /** Bytes to read in total; null: unknown. */
  readonly size: number | null;
  readonly bytesRead: number;
  /** Bytes that the server has acknowledged or does not need. */
  readonly bytesDone: number;
  readonly batches: number;
  readonly matched: number;
}

/** The last line of an upload: a bar if the size is known, bytes, requests and rate. */
export class IngestBar extends LastLine {
  readonly #started = performance.now();
  readonly #totals: UploadState;
  /** Returns the text that replaces the rate until the next progress. */
  #waiting: ((width: number) => string) | undefined;

  constructor(isWanted: boolean, totals: UploadState) {
    super(isWanted);
    this.#totals = totals;
  }

  /** Shows the rate again after the server acknowledged a batch. */
  progressed(): void {
    this.#waiting = undefined;
  }

  /** Shows a text until the next progress. @param text Called on every redraw with the maximum columns. */
  waits(text: (width: number) => string): void {
    this.#waiting = text;
  }

  override stop(): void {
    this.#waiting = undefined;
    super.stop();
  }

  protected override line(width: number): string {
    const { isDryRun, size, bytesDone, bytesRead, batches, matched } = this.#totals;
    const done = isDryRun ? bytesRead : bytesDone;
    const sent = isDryRun
      ? []
      : [`${counted(matched, 'request')} of AI crawlers`, counted(batches, 'batch', 'batches')];
    const seconds = Math.max(0.001, (performance.now() - this.#started) / 1000);
    const share = size === null ? null : size === 0 ? 1 : Math.min(1, done / size);
    const known = [...(share === null ? [] : [`${Math.floor(100 * share)} %`]), `${mib(done)} MiB`];
    const now = this.#waiting
      ? [this.#waiting(roomAfter(known, width))]
      : [...sent, `${mib(done / seconds)} MiB/s`];
    return barLine(share, [...known, ...now], 2, width);
  }
}

interface Loaded {
  readonly lines: number;
}

/** Shows bytes, lines and rate on a terminal's standard error, with a bar if the size is known. */
export class ImportBar {
  readonly #bar: cliProgress.SingleBar | undefined;
  readonly #started = performance.now();
  #bytes = 0;

  constructor(file: string, size: number | null, wanted: boolean) {
    if (!wanted || !process.stderr.isTTY || process.env.CI) return;
    const progress = size === null ? '' : '{bar} {percentage} % · ';
    const options = {
      format: `${file} ${progress}{mib} MiB · {lines} lines · {rate} lines/s`,
      hideCursor: true,
    };
    this.#bar = new cliProgress.SingleBar(
      { ...options, stream: process.stderr },
      cliProgress.Presets.shades_classic,
    );
    this.#bar.start(size ?? 0, 0, { mib: '0.0', lines: 0, rate: 0 });
  }

  /** Yields the chunks of a stream and counts their bytes. */
  async *counting(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  update({ lines }: Loaded): void {
    const seconds = Math.max(0.001, (performance.now() - this.#started) / 1000);
    this.#bar?.update(this.#bytes, { mib: mib(this.#bytes), lines, rate: Math.round(lines / seconds) });
  }

  stop(): void {
    this.#bar?.stop();
  }
}

/** Reports that demo data is generated: a counter on a terminal, else one line. */
export class DemoProgress {
  #bar: cliProgress.SingleBar | undefined;
  #said = false;

  update(records: number): void {
    if (!process.stderr.isTTY || process.env.CI) {
      if (!this.#said) process.stderr.write('Loading demo data …\n');
      this.#said = true;
      return;
    }
    if (!this.#bar) {
      this.#bar = new cliProgress.SingleBar({
        format: 'Loading demo data: {records} records',
        hideCursor: true,
        clearOnComplete: true,
        stream: process.stderr,
      });
      this.#bar.start(1, 0, { records });
    }
    this.#bar.update(0, { records });
  }

  stop(): void {
    this.#bar?.stop();
  }
}
