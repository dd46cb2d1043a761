/** The folder of the embedded database, and the lock that prevents its use by a second process. */

import { existsSync } from 'node:fs';
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ExpectedError } from '../../contract/failure.js';

/** Thrown if another process uses the data folder. */
export class FolderInUseError extends ExpectedError {
  constructor(folder: string, pid: number) {
    super(
      'unexpected',
      `The embedded database in ${folder} is in use by process ${pid}. Stop that process, or set DATABASE_URL to share a Postgres server.`,
    );
  }
}

/** The folder of the embedded database cannot be created or written. */
export class DataFolderError extends ExpectedError {
  readonly folder: string;
  readonly reason: string;

  constructor(folder: string, reason = 'unknown reason') {
    super('usage', `The data folder ${folder} cannot be used (${reason}).`);
    this.folder = folder;
    this.reason = reason;
  }
}

export interface FolderLock {
  release(): Promise<void>;
}

/** The user's data folder for svc, by the convention of the platform. */
export function userDataFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (process.platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'svc');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'svc');
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'svc');
}

/**
 * Locks the folder for this process. A lock whose process has ended is taken over.
 * @throws FolderInUseError, or DataFolderError if the lock file cannot be written.
 */
export const lockFolder = (folder: string): Promise<FolderLock> =>
  takeLock(join(folder, 'svc.lock'), (pid) => new FolderInUseError(folder, pid));

/**
 * Takes a lock file for this process. A lock whose process has ended is taken over.
 * @param inUse The error when the process with this id has it.
 */
export async function takeLock(path: string, inUse: (pid: number) => Error): Promise<FolderLock> {
  const mine = `${process.pid} ${await startOf(process.pid)}`;
  for (let attempt = 0; attempt < 20; attempt++) {
    if (await create(path, mine)) return { release: () => rm(path, { force: true }) };
    const theirs = await readFile(path, 'utf8').catch(() => undefined);
    if (theirs === undefined) continue;
    const [pid = '0', start = ''] = theirs.trim().split(' ');
    if (await isRunning(Number(pid), start)) throw inUse(Number(pid));
    await moveAside(path, theirs);
  }
  throw new Error(`Could not lock ${path}`);
}

/** The process that has a lock file; null: nobody has it, or its process has ended. */
export async function lockHolder(path: string): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [pid = '0', start = ''] = text.trim().split(' ');
  return (await isRunning(Number(pid), start)) ? Number(pid) : null;
}

/** Creates the file atomically with its content, so that no process reads a partly written lock. */
async function create(path: string, content: string): Promise<boolean> {
  const draft = `${path}.new.${process.pid}`;
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await link(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new DataFolderError(dirname(path), code);
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Removes a stale lock by renaming it, so that only one of two processes that found it removes it. */
async function moveAside(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const moved = await readFile(aside, 'utf8');
  if (moved !== stale) await rename(aside, path);
  else await rm(aside, { force: true });
}

async function isRunning(pid: number, start: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return (await startOf(pid)) === start;
}

/** The start time of a process (Linux only), which distinguishes it from a later process with the same id. */
async function startOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/**
 * Creates a folder and its missing parents, for this user only, one at a time. Node's recursive mkdir never returns on a
 * file system that accepts no folder and reports a missing parent, as /proc does.
 * @throws DataFolderError
 */
export async function makeFolder(folder: string): Promise<void> {
  const missing = await missingFolders(resolve(folder));
  for (const each of missing) {
    try {
      await mkdir(each, { mode: 0o700 });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another process created it in the meantime.
      if (code !== 'EEXIST') throw new DataFolderError(folder, code);
    }
  }
}

/** The folder and those above it that do not exist, from the top down. */
async function missingFolders(folder: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    try {
      if ((await stat(at)).isDirectory()) return missing;
      throw new DataFolderError(folder, `${at} is a file`);
    } catch (error) {
      if (error instanceof DataFolderError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' || at === dirname(at)) throw new DataFolderError(folder, code);
      missing.unshift(at);
    }
  }
}

// Who may read and write the files of an embedded database. Postgres accepts the same two modes of its folder, 0700 and
// 0750. Some files that it makes later are 0644 inside it, whatever the mask of the process.

/** The rights that are taken: all of group and others. */
const PRIVATE = 0o077;
/** An operator lets a group read, for example to copy the folder, by this mode of the database's folder. */
const GROUP_READS = 0o750;
const NOT_OF_GROUP = 0o027;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;

/**
 * Takes the rights of others from the data folder and from the database in it, whose files everyone may be able to write.
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
