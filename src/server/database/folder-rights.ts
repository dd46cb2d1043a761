/**
 * Who may read and write the files of an embedded database. Postgres accepts the same two modes of its folder, 0700 and
 * 0750. Some files that it makes later are 0644 inside it, whatever the mask of the process.
 */
import { existsSync } from 'node:fs';
import { chmod, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DataFolderError } from './data-folder.js';

/** The rights that are taken: all of group and others. */
const PRIVATE = 0o077;
/** An operator lets a group read, for example to copy the folder, by this mode of the database's folder. */
const GROUP_READS = 0o750;
const NOT_OF_GROUP = 0o027;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Takes the rights of others from the data folder and from the database in it. Databases of earlier versions may have
 * files that everyone may write.
 * @param data The folder of the database, which need not exist.
 * @throws DataFolderError if another user owns the database or may replace it.
 */
export async function takeRights(folder: string, data: string): Promise<void> {
  // Windows has no such modes.
  const user = process.getuid?.();
  if (user === undefined) return;
  const outer = await stat(folder);
  if (outer.mode & OTHERS_WRITE && !(outer.mode & STICKY)) {
    if (outer.uid !== user)
      throw new DataFolderError(folder, 'every user may write to it: take that right away');
    await chmod(folder, outer.mode & 0o7775);
  }
  if (!existsSync(data)) return;
  const { uid, mode } = await stat(data);
  if (uid !== user)
    throw new DataFolderError(
      folder,
      `its database belongs to user ${uid}: run as that user, not as user ${user}`,
    );
  await maskTree(data, (mode & 0o777) === GROUP_READS ? NOT_OF_GROUP : PRIVATE);
}

/** Takes the rights of the mask from a folder and all in it, unless that is done already. */
export async function maskTree(folder: string, mask = PRIVATE): Promise<void> {
  // The last of all, so that it is done again after a process that ended meanwhile.
  const last = join(folder, 'PG_VERSION');
  if ((await isMasked(folder, mask)) && (await isMasked(last, mask))) return;
  await maskOne(folder, mask);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if ((entry.isFile() || entry.isDirectory()) && path !== last) await maskOne(path, mask);
  }
  await maskOne(last, mask);
}

const isMasked = async (path: string, mask: number): Promise<boolean> =>
  ((await stat(path)).mode & mask) === 0;

async function maskOne(path: string, mask: number): Promise<void> {
  await chmod(path, (await stat(path)).mode & 0o7777 & ~mask);
}
