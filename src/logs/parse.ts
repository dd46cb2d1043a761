/** Crawler logs in any format, from bytes to hits. */

import type { LogCounts } from './counts.js';
import type { Entry } from './entry.js';
import { Frames } from './frames.js';
import type { Hit } from './hit.js';
import { RecordReader } from './records.js';

export interface LogParserOptions {
  /** The clock that a time in the future is judged by. */
  readonly now: Date;
  readonly onHit?: (hit: Hit) => void;
  /** Gets every request with its record, valid during the call. Costs time, so it may be taken back by undefined. */
  onRequest?: ((entry: Entry, bytes: Buffer) => void) | undefined;
  /** `lineNumber` counts from 1; `bytes` are the record without its line end, valid during the call. */
  readonly onUnparsed?: (lineNumber: number, bytes: Buffer) => void;
}

export interface LogParser {
  /** Parses the next bytes of the body. Chunks may be cut anywhere; the result does not depend on it. */
  push(chunk: Uint8Array): void;
  /** Parses what is left and gives the counts of the whole body. */
  end(): LogCounts;
  /** The counts so far. */
  readonly counts: Readonly<LogCounts>;
}

/**
 * A parser of one body, of any format and mix of formats. It holds at most one unfinished line, some thousand user
 * agents, and some 30 bytes for each hit so far, to number equal ones. It works as long as a chunk is: hand it slices (128 KiB take well under a
 * millisecond) and let others run between them.
 */
export function createLogParser(options: LogParserOptions): LogParser {
  const records = new RecordReader(options);
  const frames = new Frames(records);
  return {
    counts: records.counts,
    push: (chunk) => frames.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)),
    end: () => {
      frames.end();
      return records.counts;
    },
  };
}
