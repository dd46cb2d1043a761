/**
 * Copies of an embedded database, for work that takes long: the server reads the database meanwhile, and the copy replaces it
 * in the end, or is deleted.
 */
import { existsSync } from 'node:fs';
import { constants, cp, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The database in the data folder. */
export const databaseIn = (folder: string): string => join(folder, 'postgres');

const COPY = /^postgres\.copy\.\d+$/;
const nextIn = (folder: string): string => join(folder, 'postgres.next');
const previousIn = (folder: string): string => join(folder, 'postgres.previous');

/** Copies the database while nothing writes to it. Returns the folder of the copy. */
export async function copyDatabase(folder: string, number: number): Promise<string> {
  const copy = join(folder, `postgres.copy.${number}`);
  await rm(copy, { recursive: true, force: true });
  // Before it has files: who opens one now could write to it later.
  await mkdir(copy, { mode: 0o700 });
  try {
    // A file system that can share blocks copies nothing.
    await cp(databaseIn(folder), copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
    return copy;
  } catch (error) {
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}

/** Puts the copy in the place of the database, which no process has open. */
export async function replaceDatabase(folder: string, copy: string): Promise<void> {
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
