import { mib } from '../render/mib.js';
import { counted } from '../render/view.js';
import { barLine, LastLine, roomAfter } from './last-line.js';

/** What the bar shows of an upload, as it is at the time of drawing. */
export interface UploadState {
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
