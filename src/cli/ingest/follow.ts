import { setTimeout as sleep } from 'node:timers/promises';
import { grouped } from '../render/view.js';
import { readError } from './file-errors.js';
import { fileChunks } from './input.js';
import type { Chunk, LogFile } from './log-file.js';
import { placeOf, rotatedFrom } from './rotation.js';
import { Tail } from './tail.js';

const POLL_MS = 200;
/** The time for which a server may write to the old file after the signal to reopen its log. */
const OLD_FILE_MS = 5000;

export interface Following {
  /** Ends the reading. */
  readonly signal: AbortSignal;
  readonly warn: (message: string) => void;
  /** Called with a message that states where the reading begins. */
  readonly note: (message: string) => void;
}

/**
 * Follows a log by its name. If another file takes the name, the old one is read to its end and for five more seconds
 * first, then all files that had the name in between. If the file is truncated, its rest is read from the copy in the
 * same folder.
 */
export async function* follow(
  path: string,
  start: number | 'end',
  following: Following,
): AsyncGenerator<Chunk> {
  const { signal, warn, note } = following;
  let isFirst = true;
  for (let from = start; ; from = 0) {
    const tail = await openLater(path, from, following);
    if (tail === undefined) return;
    if (isFirst)
      note(
        `Following ${path} from byte ${grouped(tail.offset)}${from === 'end' && tail.offset > 0 ? ', its end' : ''}.`,
      );
    isFirst = false;
    try {
      const end = yield* untilLeft(tail, signal);
      if (signal.aborted) return;
      if (end === 'emptied') yield* restOf(tail, warn);
      if (end === 'preceded') yield* unreadCopy(tail, warn);
      yield* newerThan(tail.logFile);
    } finally {
      await tail.close();
    }
  }
}

async function* untilLeft(
  tail: Tail,
  signal: AbortSignal,
): AsyncGenerator<Chunk, 'emptied' | 'preceded' | 'replaced'> {
  let leaveAt = Number.POSITIVE_INFINITY;
  while (!signal.aborted) {
    const chunk = await tail.next();
    if (chunk === 'emptied' || chunk === 'preceded') return chunk;
    const isLeaving = leaveAt < Number.POSITIVE_INFINITY;
    if (chunk !== null) {
      yield chunk;
      if (isLeaving) leaveAt = Date.now() + OLD_FILE_MS;
      continue;
    }
    if (Date.now() > leaveAt) break;
    if (!isLeaving && (await tail.isReplaced())) leaveAt = Date.now() + OLD_FILE_MS;
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return 'replaced';
}

/** The unread rest of a truncated file, from its copy. */
async function* restOf(tail: Tail, warn: Following['warn']): AsyncGenerator<Chunk> {
  const { logFile } = tail;
  const { path } = logFile;
  const files = await rotatedFrom(path);
  const copy = files[await placeOf(logFile, files)];
  let isRead = copy !== undefined;
  try {
    for await (const { bytes, offset } of copy === undefined ? [] : fileChunks(copy, tail.offset)) {
      logFile.see(bytes, offset);
      tail.offset = offset + bytes.length;
      yield { logFile, bytes, offset };
    }
  } catch (error) {
    warn(`${copy}: ${(error as Error).message}`);
  }
  if (copy === undefined) isRead = yield* unreadCopy(tail, warn);
  const where = copy === undefined ? 'and no copy of it was found in its folder' : `and are not in ${copy}`;
  if (tail.unread > 0)
    warn(
      `${path} was emptied: ${grouped(tail.unread)} bytes of it were not read before, ${where}. They are lost.`,
    );
  else if (!isRead && logFile.head.length === 0)
    warn(`${path} was written to and emptied between two looks, ${where}. Lines may be lost.`);
}

/** The content of a copy that was made since the file was opened, and of which nothing was read; false if there is none. */
async function* unreadCopy(tail: Tail, warn: Following['warn']): AsyncGenerator<Chunk, boolean> {
  const copy = await tail.unreadCopy();
  if (copy === undefined) return false;
  try {
    yield* fileChunks(copy);
  } catch (error) {
    warn(`${copy}: ${(error as Error).message}`);
  }
  return true;
}

/** The files that had the name after a log file, oldest first; repeated until there is no newer one. */
async function* newerThan(logFile: LogFile): AsyncGenerator<Chunk> {
  for (let last: LogFile | undefined = logFile; last !== undefined; ) {
    const files = await rotatedFrom(logFile.path);
    const at = await placeOf(last, files);
    last = undefined;
    for (const path of at === -1 ? [] : files.slice(at + 1)) {
      for await (const chunk of fileChunks(path)) {
        last = chunk.logFile;
        yield chunk;
      }
    }
  }
}

/** Opens the file, and waits while it does not exist: rotation may not have created the new one yet. */
async function openLater(
  path: string,
  start: number | 'end',
  { signal, warn }: Following,
): Promise<Tail | undefined> {
  for (let from = start; !signal.aborted; from = 0) {
    try {
      return await Tail.open(path, from);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw readError(path, error);
      if (from === 'end') warn(`There is no file ${path} yet: waiting for it.`);
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}
