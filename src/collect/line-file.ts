/** The files of a collection: lines that are only appended, and what is told if a file cannot be used. */

import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ExpectedError, type FailureKind } from '../contract/failure.js';
import { DataFolderError } from '../server/database/data-folder.js';

/** A file of the collection cannot be read or written. */
export class CollectFileError extends ExpectedError {
  /** @param kind `usage` if the path itself is wrong: a folder, or a place without the right to write. */
  constructor(path: string, reason: string, kind: FailureKind = 'unexpected') {
    super(kind, `${path} cannot be used (${reason}).`);
  }
}

const WRONG_PATH = [
  'EISDIR',
  'ENOTDIR',
  'ENOENT',
  'EEXIST',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENAMETOOLONG',
  'ELOOP',
];

const NO_SPACE = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** The error for a failure of the file system. */
export function fileErrorOf(path: string, error: unknown): CollectFileError {
  if (error instanceof DataFolderError) return new CollectFileError(error.folder, error.reason, 'usage');
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  if (WRONG_PATH.includes(code)) return new CollectFileError(path, code, 'usage');
  return new CollectFileError(path, NO_SPACE.includes(code) ? `no space is left: ${code}` : code);
}

// A file of lines that is only appended to. A line that was appended survives a crash of the process and of the
// machine.

export class LineFile {
  readonly path: string;
  readonly #file: FileHandle;
  #queue: Promise<void> = Promise.resolve();
  #failure: CollectFileError | undefined;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /**
   * Opens the file, creates it if it does not exist, and removes an incomplete last line, which a crash leaves.
   * @returns The file and its complete lines.
   * @throws CollectFileError
   */
  static async open(path: string): Promise<{ file: LineFile; lines: string[] }> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'a', 0o600);
      await syncFolder(dirname(path));
      const bytes = await readFile(path);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      if (end < bytes.length) await file.truncate(end);
      return { file: new LineFile(path, file), lines: linesIn(bytes.subarray(0, end)) };
    } catch (error) {
      await file?.close();
      throw fileErrorOf(path, error);
    }
  }

  /**
   * Appends one record and waits until it is on disk. After a failure the file may end with an incomplete line, so nothing
   * is appended any more.
   * @throws CollectFileError
   */
  append(record: object): Promise<void> {
    const line = `${JSON.stringify(record)}\n`;
    const appended = this.#queue.then(async () => {
      if (this.#failure) throw this.#failure;
      try {
        await this.#file.appendFile(line);
        await this.#file.datasync();
      } catch (error) {
        this.#failure = fileErrorOf(this.path, error);
        throw this.#failure;
      }
    });
    this.#queue = appended.catch(() => undefined);
    return appended;
  }

  /** Waits for what is being appended, and closes the file. */
  async close(): Promise<void> {
    await this.#queue;
    await this.#file.close();
  }
}

/** The complete lines of a file; none if it does not exist. @throws CollectFileError */
export async function readLines(path: string): Promise<string[]> {
  try {
    const bytes = await readFile(path);
    return linesIn(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fileErrorOf(path, error);
  }
}

const NEWLINE = 10;

/** The text of complete lines, cut at their ends; blank lines are kept, so that numbers of lines are those of the file. */
const linesIn = (bytes: Buffer): string[] => bytes.toString('utf8').split('\n').slice(0, -1);

/** Flushes a folder, else a new file may be missing after a crash of the machine. Windows cannot open a folder. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
