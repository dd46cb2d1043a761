import type { MultiBar } from 'cli-progress';
import type { CollectionProgress } from '../../collect/collection.js';
import { duration } from '../render/duration.js';
import { usd } from '../render/usd.js';
import { counted } from '../render/view.js';

const REDRAW_MS = 250;
const BAR_WIDTH = 30;
const LEAST_BAR_WIDTH = 8;
const SEPARATOR = ' · ';

/** Redraws the last line on a terminal's standard error: a bar, runs, calls, cost so far and rate limits waited for. */
export class CollectBar {
  readonly #isWanted: boolean;
  #bars: MultiBar | undefined;
  #progress: CollectionProgress = { done: 0, total: 0, spent: { calls: 0, usd: 0 } };
  #waitingUntil = 0;

  /** @param isWanted False under --json and --quiet. */
  constructor(isWanted: boolean) {
    this.#isWanted = isWanted && process.stderr.isTTY === true && !process.env.CI;
  }

  get isShown(): boolean {
    return this.#bars !== undefined;
  }

  async show(): Promise<void> {
    if (!this.#isWanted) return;
    const { default: cliProgress } = await import('cli-progress');
    this.#bars = new cliProgress.MultiBar({
      format: () => this.#line(),
      fps: 1000 / REDRAW_MS,
      hideCursor: true,
      forceRedraw: true,
      // The first signal waits for calls in flight.
      gracefulExit: false,
      stream: process.stderr,
    });
    this.#bars.create(1, 0);
  }

  update(progress: CollectionProgress): void {
    this.#progress = progress;
  }

  waits(milliseconds: number): void {
    this.#waitingUntil = Math.max(this.#waitingUntil, performance.now() + milliseconds);
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

  /** The line, fitted to the terminal: the least important facts are dropped first. */
  #line(): string {
    // One column less, because clearing the rest of the line needs the last column.
    const width = (process.stderr.columns || 80) - 1;
    const { done, total, spent } = this.#progress;
    const rest = this.#waitingUntil - performance.now();
    const cost = spent.usd === null ? [] : [usd(spent.usd)];
    const facts = [`${done}/${total}`, ...cost, counted(spent.calls, 'call')];
    if (rest > 0) facts.push(`rate limit: ${duration(Math.ceil(rest / 1000) * 1000)}`);
    while (facts.length > 1 && facts.join(SEPARATOR).length > width) facts.pop();
    const text = facts.join(SEPARATOR);
    const room = Math.min(BAR_WIDTH, width - text.length - 1);
    const full = Math.round((total === 0 ? 0 : Math.min(1, done / total)) * room);
    const bar = room < LEAST_BAR_WIDTH ? '' : `${'█'.repeat(full)}${'░'.repeat(room - full)} `;
    return (bar + text).slice(0, width);
  }
}
