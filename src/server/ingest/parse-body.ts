/** Parses a decoded body in slices, so that other requests are served in between. */
import { setImmediate } from 'node:timers/promises';
import { createLogParser, type Hit, VERIFICATION_BODY_LIMIT } from '../../logs/index.js';
import { SLICE_BYTES } from '../http/encodings.js';

export interface ParsedBody {
  readonly totalLines: number;
  readonly unparsed: number;
  readonly matched: number;
  /** Newest time of any request line, in ms; null without one. */
  readonly newestTime: number | null;
  /** Whether the body has nothing but white space. */
  readonly blank: boolean;
  /** The whole body, if it is short enough to be a platform's test request; null: it is longer. */
  readonly shortText: string | null;
}

/** Bytes of white space, and of a byte order mark. */
const BLANK_BYTES = new Set([9, 10, 11, 12, 13, 32, 0xef, 0xbb, 0xbf]);

export interface HitSink {
  /** Called with each hit, in the order of the body. */
  add(hit: Hit): void;
  /** Awaited between slices, for asynchronous work. */
  settle(): Promise<void> | void;
}

export async function parseBody(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  now: Date,
  hits: HitSink,
): Promise<ParsedBody> {
  const parser = createLogParser({ now, onHit: (hit) => hits.add(hit) });
  const head = new Head();
  let sinceBreak = 0;
  for await (const chunk of chunks) {
    head.push(chunk);
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
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

/** Whether the whole body is blank, and its text if it is short. */
class Head {
  blank = true;
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    if (this.blank && !chunk.every((byte) => BLANK_BYTES.has(byte))) this.blank = false;
    this.#length += chunk.length;
    if (this.#length <= VERIFICATION_BODY_LIMIT) this.#chunks.push(chunk);
    else this.#chunks = [];
  }

  get text(): string | null {
    return this.#length <= VERIFICATION_BODY_LIMIT ? Buffer.concat(this.#chunks).toString('utf8') : null;
  }
}
