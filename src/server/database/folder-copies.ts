/**
 * Copies of an embedded database, for work that takes long: the server reads the database meanwhile, and the copy replaces it
 * in the end, or is deleted.
 */
import { existsSync } from 'node:fs';
import { constants, copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The database in the data folder. */
export const databaseIn = (folder: string): string => join(folder, 'postgres');

const COPY = /^postgres\.copy\.\d+$/;
const nextIn = (folder: string): string => join(folder, 'postgres.next');
const previousIn = (folder: string): string => join(folder, 'postgres.previous');

/** Whether the folder has a database, or one that is being replaced. */
export const isMade = (folder: string): boolean => [databaseIn(folder), nextIn(folder)].some(existsSync);

/** Copies the database while nothing writes to it. Returns the folder of the copy. */
export async function copyDatabase(folder: string, number: number): Promise<string> {
  const copy = join(folder, `postgres.copy.${number}`);
  await rm(copy, { recursive: true, force: true });
  // Before it has files: who opens one now could write to it later.
  await mkdir(copy, { mode: 0o700 });
  try {
    await copyTree(databaseIn(folder), copy);
    return copy;
  } catch (error) {
    // Another file may still be copied.
    await rm(copy, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/** Files that are copied at once: the server answers requests meanwhile. */
const FILES_AT_ONCE = 2;

/** Copies folders and files into a folder. Takes a third of the processor time of `cp`, which looks at every parent of each file. */
async function copyTree(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  const target = (path: string) => join(to, relative(from, path));
  // A folder after the one that it is in, whose path is shorter.
  const folders = paths.filter(({ entry }) => entry.isDirectory());
  for (const { path } of folders.sort((a, b) => a.path.length - b.path.length))
    await mkdir(target(path), { mode: (await stat(path)).mode & 0o777 });
  const files = paths.filter(({ entry }) => entry.isFile());
  // A file system that can share blocks copies nothing.
  const copied = ({ path }: { path: string }) => copyFile(path, target(path), constants.COPYFILE_FICLONE);
  for (let at = 0; at < files.length; at += FILES_AT_ONCE)
    await Promise.all(files.slice(at, at + FILES_AT_ONCE).map(copied));
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
