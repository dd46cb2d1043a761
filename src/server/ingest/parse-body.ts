/** From a decoded body to what is to be stored, in slices, so that other requests are answered in between. */
import { setImmediate } from 'node:timers/promises';
import { createLogParser, type Hit, VERIFICATION_BODY_LIMIT } from '../../logs/index.js';
import { SLICE_BYTES } from '../http/encodings.js';

export interface ParsedBody {
  readonly totalLines: number;
  readonly unparsed: number;
  readonly matched: number;
  /** Newest time of any request line, in ms; null without one. */
  readonly newestTime: number | null;
  /** Nothing but white space. */
  readonly blank: boolean;
  /** The whole body where it is short enough to be a platform's test; null where it is longer. */
  readonly shortText: string | null;
}

/** Bytes of white space, and of a byte order mark. */
const BLANK_BYTES = new Set([9, 10, 11, 12, 13, 32, 0xef, 0xbb, 0xbf]);

export interface HitSink {
  /** Is given each hit, in the body's order. */
  add(hit: Hit): void;
  /** Is awaited between slices, for what takes time. */
  settle(): Promise<void> | void;
}

export async function parseBody(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  now: Date,
  hits: HitSink,
): Promise<ParsedBody> {
  const parser = createLogParser({ now, onHit: (hit) => hits.add(hit) });
  const head = new Head();
  let sinceBreak = 0;
  for await (const piece of pieces) {
    head.push(piece);
    for (let at = 0; at < piece.length; at += SLICE_BYTES) {
      const slice = piece.subarray(at, at + SLICE_BYTES);
      if (sinceBreak + slice.length > SLICE_BYTES) {
        sinceBreak = 0;
        await setImmediate();
      }
      parser.push(slice);
      await hits.settle();
      sinceBreak += slice.length;
    }
  }
  const { totalLines, unparsed, matched, newestTime } = parser.end();
  return { totalLines, unparsed, matched, newestTime, blank: head.blank, shortText: head.text };
}

/** What is asked about a body as a whole: whether it is blank, and its text while it is short. */
class Head {
  blank = true;
  #pieces: Buffer[] = [];
  #length = 0;

  push(piece: Buffer): void {
    if (this.blank && !piece.every((byte) => BLANK_BYTES.has(byte))) this.blank = false;
    this.#length += piece.length;
    if (this.#length <= VERIFICATION_BODY_LIMIT) this.#pieces.push(piece);
    else this.#pieces = [];
  }

  get text(): string | null {
    return this.#length <= VERIFICATION_BODY_LIMIT ? Buffer.concat(this.#pieces).toString('utf8') : null;
  }
}
