import type { CollectionProgress } from '../../collect/collection.js';
import { duration } from '../render/duration.js';
import { usd } from '../render/usd.js';
import { counted } from '../render/view.js';
import { barLine, LastLine } from './last-line.js';

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
