/** Replaces and creates files in one step: at any moment there is the old one or the new one, whole. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExpectedError } from '../../contract/failure.js';
import { type FolderLock, takeLock } from '../../server/database/data-folder.js';
import { fileErrorOf, syncFolder } from '../line-file.js';

/** Thrown if another process holds the lock of the file for longer than a change takes. */
class BusyError extends ExpectedError {}

const TRIES = 50;
const TRY_EVERY_MS = 40;

/**
 * Runs `work` while no other process, and nobody else in this one, changes the file.
 * @param work Receives the path without symbolic links.
 * @throws CollectFileError if the folder cannot be written.
 */
export async function whileLocked<T>(file: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = await realpath(file).catch((error: unknown) => {
    throw fileErrorOf(file, error);
  });
  // Two of one process would take one lock, which has the id of the process.
  const done = (queues.get(path) ?? Promise.resolve()).then(async () => {
    const lock = await lockOf(path);
    try {
      return await work(path);
    } finally {
      await lock.release();
    }
  });
  const settled = done.catch(() => undefined);
  queues.set(path, settled);
  void settled.then(() => queues.get(path) === settled && queues.delete(path));
  return done;
}

/** What changes a file in this process, by path. */
const queues = new Map<string, Promise<unknown>>();

async function lockOf(path: string): Promise<FolderLock> {
  const busy = (pid: number) =>
    new BusyError('unexpected', `${path} is changed by process ${pid}. Try again.`);
  for (let left = TRIES; ; left--) {
    try {
      return await takeLock(join(dirname(path), `.${basename(path)}.lock`), busy);
    } catch (error) {
      if (!(error instanceof BusyError)) throw fileErrorOf(path, error);
      if (left === 0) throw error;
      await sleep(TRY_EVERY_MS);
    }
  }
}

/**
 * Writes a file beside, flushes it, and gives it the name. Mode and owner stay.
 * @throws CollectFileError; the old file is whole then.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.new`);
  let file: FileHandle | undefined;
  try {
    const { mode, uid, gid } = await stat(path);
    // That of a process that was killed.
    await rm(draft, { force: true });
    file = await open(draft, 'wx', mode & 0o7777);
    await file.writeFile(bytes);
    await file.chmod(mode & 0o7777);
    // Only root may give a file away; the new one belongs to whoever writes it then.
    await file.chown(uid, gid).catch(() => undefined);
    await file.sync();
    await file.close();
    file = undefined;
    await rename(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await file?.close().catch(() => undefined);
    await rm(draft, { force: true }).catch(() => undefined);
    throw fileErrorOf(path, error);
  }
}

/** What a file system without links says. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV'];

/**
 * Creates a file under a name that no file has, whole: no crash leaves a part of it.
 * @returns False: there is such a file, which stays as it is.
 * @throws CollectFileError; there is no file then.
 */
export async function createFile(path: string, text: string): Promise<boolean> {
  const draft = join(dirname(path), `.${basename(path)}.${randomUUID()}`);
  let file: FileHandle | undefined;
  try {
    file = await open(draft, 'wx');
    await file.writeFile(text);
    await file.sync();
    await file.close();
    file = undefined;
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (!NO_LINKS.includes(error.code ?? '')) throw error;
      return writeFile(path, text, { flag: 'wx', flush: true });
    });
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    await file?.close().catch(() => undefined);
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw fileErrorOf(path, error);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}
