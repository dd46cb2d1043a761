import type { MultiBar } from 'cli-progress';
import { counted, grouped } from '../view.js';
import { mib, type Totals } from './totals.js';

const REDRAW_MS = 250;
const BAR_WIDTH = 30;
const LEAST_BAR_WIDTH = 8;

/** One live line below everything else on a terminal's standard error: a bar where the size is known, bytes, hits and rate. */
export class IngestBar {
  readonly #isWanted: boolean;
  readonly #started = performance.now();
  #bars: MultiBar | undefined;
  #totals: Totals | undefined;
  /** What is said in place of the rate until the next progress. */
  #waiting: (() => string) | undefined;

  /** @param isWanted False under --json, --quiet and --no-progress. */
  constructor(isWanted: boolean) {
    this.#isWanted = isWanted && process.stderr.isTTY === true && !process.env.CI;
  }

  get isShown(): boolean {
    return this.#bars !== undefined;
  }

  /** Begins to draw. */
  async show(totals: Totals): Promise<void> {
    if (!this.#isWanted) return;
    const { default: cliProgress } = await import('cli-progress');
    this.#totals = totals;
    this.#bars = new cliProgress.MultiBar({
      format: () => this.#line(),
      fps: 1000 / REDRAW_MS,
      hideCursor: true,
      forceRedraw: true,
      // The first signal ends only the reading.
      gracefulExit: false,
      stream: process.stderr,
    });
    this.#bars.create(1, 0);
  }

  /** Something was acknowledged. */
  progressed(): void {
    this.#waiting = undefined;
  }

  /** Shows a text, made anew with each drawing, until there is progress. */
  waits(text: () => string): void {
    this.#waiting = text;
  }

  /** Writes whole lines above the live one, if there is one. */
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

  /** The line, cut to the terminal: what matters least goes first. */
  #line(): string {
    const width = process.stderr.columns || 80;
    const { isDryRun, size, bytesDone, bytesRead, batches, matched } = this.#totals!;
    const done = isDryRun ? bytesRead : bytesDone;
    const sent = isDryRun ? [] : [`${grouped(matched)} AI hits`, counted(batches, 'batch', 'batches')];
    const seconds = Math.max(0.001, (performance.now() - this.#started) / 1000);
    const facts = [
      ...(size === null ? [] : [`${Math.floor(100 * Math.min(1, size === 0 ? 1 : done / size))} %`]),
      `${mib(done)} MiB`,
      ...(this.#waiting ? [this.#waiting()] : [...sent, `${mib(done / seconds)} MiB/s`]),
    ];
    while (facts.length > 2 && !this.#waiting && facts.join(' · ').length > width) facts.pop();
    const text = facts.join(' · ');
    const room = Math.min(BAR_WIDTH, width - text.length - 1);
    const bar = size === null || room < LEAST_BAR_WIDTH ? '' : `${drawn(done / Math.max(1, size), room)} `;
    return (bar + text).slice(0, width);
  }
}

function drawn(share: number, width: number): string {
  const full = Math.round(Math.min(1, share) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
}
