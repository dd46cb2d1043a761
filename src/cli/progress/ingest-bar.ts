import type { MultiBar } from 'cli-progress';
import { mib, type Totals } from '../ingest/totals.js';
import { counted, grouped } from '../render/view.js';

const SEPARATOR = ' · ';
const REDRAW_MS = 250;
const BAR_WIDTH = 30;
const LEAST_BAR_WIDTH = 8;

/** Redraws the last line on a terminal's standard error: a bar if the size is known, bytes, hits and rate. */
export class IngestBar {
  readonly #isWanted: boolean;
  readonly #started = performance.now();
  #bars: MultiBar | undefined;
  #totals: Totals | undefined;
  /** Returns the text that replaces the rate until the next progress. */
  #waiting: ((width: number) => string) | undefined;

  /** @param isWanted False under --json, --quiet and --no-progress. */
  constructor(isWanted: boolean) {
    this.#isWanted = isWanted && process.stderr.isTTY === true && !process.env.CI;
  }

  get isShown(): boolean {
    return this.#bars !== undefined;
  }

  /** Starts to draw. */
  async show(totals: Totals): Promise<void> {
    if (!this.#isWanted) return;
    const { default: cliProgress } = await import('cli-progress');
    this.#totals = totals;
    this.#bars = new cliProgress.MultiBar({
      format: () => this.#line(),
      fps: 1000 / REDRAW_MS,
      hideCursor: true,
      forceRedraw: true,
      // The first signal ends only the reading of input.
      gracefulExit: false,
      stream: process.stderr,
    });
    this.#bars.create(1, 0);
  }

  /** Shows the rate again after the server acknowledged a batch. */
  progressed(): void {
    this.#waiting = undefined;
  }

  /** Shows a text until the next progress. @param text Called on every redraw with the maximum columns. */
  waits(text: (width: number) => string): void {
    this.#waiting = text;
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
    this.#waiting = undefined;
    this.#bars?.update();
    this.#bars?.stop();
    this.#bars = undefined;
  }

  /** The line, fitted to the terminal: the least important facts are dropped first. */
  #line(): string {
    // One column less, because clearing the rest of the line needs the last column.
    const width = (process.stderr.columns || 80) - 1;
    const { isDryRun, size, bytesDone, bytesRead, batches, matched } = this.#totals!;
    const done = isDryRun ? bytesRead : bytesDone;
    const sent = isDryRun ? [] : [`${grouped(matched)} AI hits`, counted(batches, 'batch', 'batches')];
    const seconds = Math.max(0.001, (performance.now() - this.#started) / 1000);
    const share = size === null ? null : Math.min(1, size === 0 ? 1 : done / size);
    const facts = [...(share === null ? [] : [`${Math.floor(100 * share)} %`]), `${mib(done)} MiB`];
    if (this.#waiting) facts.push(this.#waiting(width - facts.join(SEPARATOR).length - SEPARATOR.length));
    else facts.push(...sent, `${mib(done / seconds)} MiB/s`);
    while (facts.length > 2 && facts.join(SEPARATOR).length > width) facts.pop();
    const text = facts.join(SEPARATOR);
    const room = Math.min(BAR_WIDTH, width - text.length - 1);
    const bar = share === null || room < LEAST_BAR_WIDTH ? '' : `${drawn(share, room)} `;
    return (bar + text).slice(0, width);
  }
}

function drawn(share: number, width: number): string {
  const full = Math.round(share * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}
