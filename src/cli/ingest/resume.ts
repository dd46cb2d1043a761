import { stat } from 'node:fs/promises';
import { latin1, secondOf } from '../../sdk/ingest/line-time.js';
import { grouped } from '../render/view.js';
import type { Position } from './checkpoints.js';
import { fileChunks, headOf } from './input.js';
import { hashOfHead } from './log-file.js';
import { rotatedFrom } from './rotation.js';

/** A file to read, and where to begin. */
export interface Portion {
  readonly path: string;
  /** `end`: at the end that the file has when it is opened. */
  readonly start: number | 'end';
}

/**
 * The unread parts of a log: the rest of the file with the position, then all files that the log was rotated into since, then
 * the log itself. If that file no longer exists: only the log, from its beginning, with a warning.
 */
export async function portionsAfter(
  log: string,
  position: Position,
  warn: (message: string) => void,
): Promise<Portion[]> {
  const files = [...(await rotatedFrom(log)), log];
  for (const [at, path] of files.entries()) {
    if (!(await isAt(path, position))) continue;
    const start = await startIn(path, position);
    return [{ path, start }, ...files.slice(at + 1).map((later) => ({ path: later, start: 0 }))];
  }
  const place = `byte ${grouped(position.offset)} of a file`;
  warn(`${log} was read up to ${place} that no longer exists. Lines after that position may be lost.`);
  return [{ path: log, start: 0 }];
}

/** Whether the position is in this file. The beginning identifies the file, also after it was copied or compressed. */
async function isAt(path: string, { dev, inode, offset, hash }: Position): Promise<boolean> {
  try {
    const stats = await stat(path);
    if (offset === 0) return stats.dev === dev && stats.ino === inode;
    const isShorter = !path.endsWith('.gz') && stats.size < offset;
    return !isShorter && hashOfHead(await headOf(path), offset) === hash;
  } catch {
    return false;
  }
}

/** The offset of the position, or of the start of its last second if that second continues after it. */
async function startIn(path: string, position: Position): Promise<number> {
  const { offset, last_second: second, second_offset: start } = position;
  if (second === null) return offset;
  for await (const { bytes } of fileChunks(path, offset)) {
    const end = bytes.indexOf(10);
    return secondOf(latin1(end === -1 ? bytes : bytes.subarray(0, end))) === second ? start : offset;
  }
  return offset;
}
