/**
 * Copies of an embedded database, for work that takes long: the server reads the database meanwhile, and the copy replaces it
 * in the end, or is deleted.
 */
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { constants, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import pLimit from 'p-limit';

/** The database in the data folder. */
export const databaseIn = (folder: string): string => join(folder, 'postgres');

const COPY = /^postgres\.copy\.\d+$/;
const nextIn = (folder: string): string => join(folder, 'postgres.next');
const previousIn = (folder: string): string => join(folder, 'postgres.previous');

/** Whether the folder has a database, or one that is being replaced. */
export const isMade = (folder: string): boolean => [databaseIn(folder), nextIn(folder)].some(existsSync);

/** Files that are copied at once: the server answers requests meanwhile. */
const FILES_AT_ONCE = 2;
/** A file that changed this shortly before may change again without another time: some file systems have times of seconds. */
const UNSURE_MS = 2500;

/**
 * A copy of the database, made while it is used: each update copies the files that changed since the one before. It is
 * complete after an update during which nothing writes.
 */
export class DatabaseCopy {
  readonly path: string;
  readonly #database: string;
  /** The time and the size of each file that was copied; null: it must be copied again. */
  readonly #copied = new Map<string, string | null>();

  constructor(folder: string, number: number) {
    this.path = join(folder, `postgres.copy.${number}`);
    this.#database = databaseIn(folder);
  }

  /** Makes the folder, for this user only, before it has files: who opens one then could write to it later. */
  async begin(): Promise<void> {
    await this.delete();
    await mkdir(this.path, { mode: 0o700 });
  }

  /** Returns how many bytes it copied. */
  async update(): Promise<number> {
    const files = new Map<string, bigint>();
    const gone = new Set(this.#copied.keys());
    // Synchronous: the database, which is in this process, changes nothing meanwhile.
    for (const entry of readdirSync(this.#database, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(this.#database, path);
      const { mode, mtimeNs, size } = statSync(path, { bigint: true });
      const copy = join(this.path, name);
      if (entry.isDirectory() && !existsSync(copy)) mkdirSync(copy, { mode: Number(mode & 0o777n) });
      if (!entry.isFile()) continue;
      gone.delete(name);
      const state = `${mtimeNs} ${size}`;
      if (this.#copied.get(name) === state) continue;
      files.set(name, size);
      this.#copied.set(name, Date.now() - Number(mtimeNs / 1_000_000n) > UNSURE_MS ? state : null);
    }
    await pLimit(FILES_AT_ONCE).map(files.keys(), (name) => this.#copy(name));
    for (const name of gone) {
      this.#copied.delete(name);
      await rm(join(this.path, name), { force: true });
    }
    return Number([...files.values()].reduce((sum, size) => sum + size, 0n));
  }

  /** A file system that can share blocks copies nothing. */
  async #copy(name: string): Promise<void> {
    try {
      await copyFile(join(this.#database, name), join(this.path, name), constants.COPYFILE_FICLONE);
    } catch (error) {
      // The database deleted it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** Deletes the copy. Retries, because a file may still be written to it. */
  delete(): Promise<void> {
    return rm(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Puts the copy in the place of the database, which no process has open. */
export async function replaceDatabase(folder: string, copy: string): Promise<void> {
  // What a replacement left that failed.
  if (existsSync(databaseIn(folder))) await deletePrevious(folder);
  // From here on the copy is complete, which `settleDatabase` relies on.
  await rename(copy, nextIn(folder));
  await rename(databaseIn(folder), previousIn(folder));
  await rename(nextIn(folder), databaseIn(folder));
}

/** Takes the replacement back, however far it came. */
export async function restoreDatabase(folder: string): Promise<void> {
  if (!existsSync(previousIn(folder))) return;
  if (existsSync(databaseIn(folder))) await rename(databaseIn(folder), nextIn(folder));
  await rename(previousIn(folder), databaseIn(folder));
}

/** Completes a replacement that was interrupted, and deletes what is left of copies. The caller has the lock of the folder. */
export async function settleDatabase(folder: string): Promise<void> {
  const data = databaseIn(folder);
  if (!existsSync(data) && existsSync(nextIn(folder))) await rename(nextIn(folder), data);
  if (existsSync(data)) await deletePrevious(folder);
  for (const name of await readdir(folder))
    if (COPY.test(name)) await rm(join(folder, name), { recursive: true, force: true });
}

/** Deletes the database that was replaced, and a copy that was not to replace it. */
export async function deletePrevious(folder: string): Promise<void> {
  for (const path of [nextIn(folder), previousIn(folder)]) await rm(path, { recursive: true, force: true });
}
