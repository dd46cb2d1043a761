/** Parses crawler logs in any format, from bytes to hits. */

import { Frames } from './frames.js';
import { type LogCounts, type LogParserOptions, RecordReader } from './records.js';

export interface LogParser {
  /** Parses the next bytes of the body. The result does not depend on where chunks are cut. */
  push(chunk: Uint8Array): void;
  /** Parses the rest and returns the counts of the whole body. */
  end(): LogCounts;
  /** The counts so far. */
  readonly counts: Readonly<LogCounts>;
}

/**
 * Creates a parser of one body, in any format or mix of formats. It keeps at most one unfinished line, some thousand
 * user agents, and about 30 bytes for each hit so far, to number equal ones. `push` is synchronous: pass slices (128
 * KiB take well under a millisecond) and yield between them.
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
