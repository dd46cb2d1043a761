/** Why an embedded database could not be opened. */
import { DataFolderError, FolderInUseError } from './data-folder.js';
import { bytesInWords, freeBytes } from './disk-space.js';

/** Postgres did not start on the folder. */
export class EmbeddedOpenError extends Error {
  override readonly name: string = 'EmbeddedOpenError';
}

/** Postgres did not start on the folder, because its disk is full. It starts when there is space. */
export class DiskFullError extends EmbeddedOpenError {
  override readonly name = 'DiskFullError';
}

/** What Postgres said last before it ended. */
export interface LastWords {
  fatal?: string;
  /** A sentence about it, such as which version made the files. */
  detail?: string | undefined;
}

const FATAL = /(?:FATAL|PANIC): +(.*)/;
const DETAIL = / DETAIL: +(.*)/;

/** Keeps the reason from a line that Postgres logs, and the detail from the next. */
export function listen(lastWords: LastWords, line: string): void {
  const reason = FATAL.exec(line)?.[1];
  if (reason !== undefined) {
    lastWords.fatal = reason;
    lastWords.detail = undefined;
  } else if (lastWords.fatal !== undefined) lastWords.detail ??= DETAIL.exec(line)?.[1];
}

/** ENOSPC as the WebAssembly file system numbers it. */
const NO_SPACE = 51;
const NO_SPACE_WORDS = /No space left on device/;

/**
 * The error for what the embedded database throws on open: for a failing file system an object with an error number only,
 * else an error without a reason.
 */
export async function openFailure(
  folder: string,
  error: unknown,
  { fatal, detail }: LastWords = {},
): Promise<Error> {
  const { errno, reason: refused } = (error ?? {}) as { errno?: unknown; reason?: unknown };
  const free = await freeBytes(folder);
  const place = `The embedded database in ${folder} cannot be opened`;
  const space = free === undefined ? '' : ` Its disk has ${bytesInWords(free)} free.`;
  if (errno === NO_SPACE || refused === 'ENOSPC' || (fatal !== undefined && NO_SPACE_WORDS.test(fatal)))
    return new DiskFullError(`${place}: no space is left on its disk.${space} It opens when there is more.`, {
      cause: error,
    });
  if (error instanceof DataFolderError || error instanceof FolderInUseError) return error;
  if (!(error instanceof Error) && typeof errno === 'number')
    return new DataFolderError(folder, `error ${errno}`);
  const reason = fatal ?? (error instanceof Error ? error.message : String(error));
  const more = detail === undefined ? '' : ` ${detail}`;
  return new EmbeddedOpenError(`${place}: ${reason}.${more}${space}`, { cause: error });
}
