import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { headOf } from './input.js';
import type { LogFile } from './log-file.js';

/** The suffixes that rotation adds to the name of a log: `.1`, `.2.gz`, `-20261120`, `-20261120-1700000000.gz`. */
const suffix = /^(?<base>.+?)(?:\.(?<number>\d{1,5})|[.-](?<date>\d{4}-?\d\d-?\d\d(?:[-T.]?\d+)?))(?:\.gz)?$/;

interface Rotated {
  readonly path: string;
  /** The name of the log itself. */
  readonly base: string;
  /** Increases with age; 0 for the log itself. */
  readonly number: number;
  readonly date: string;
}

function rotated(path: string): Rotated {
  const { base, number, date } = suffix.exec(path)?.groups ?? {};
  const plain = base ?? path.replace(/\.gz$/, '');
  return { path, base: plain, number: Number(number ?? 0), date: date ?? '' };
}

/** Sorts dated files before numbered files before the log itself, and each kind oldest first. */
function byAge(a: Rotated, b: Rotated): number {
  if (a.date !== b.date) return a.date === '' ? 1 : b.date === '' ? -1 : a.date < b.date ? -1 : 1;
  return b.number - a.number;
}

/** The files in the given order, but all files of one log together at the index of the first, oldest first. */
export function oldestFirst(paths: readonly string[]): string[] {
  const sets = new Map<string, Rotated[]>();
  for (const each of paths.map(rotated)) sets.set(each.base, [...(sets.get(each.base) ?? []), each]);
  return [...sets.values()].flatMap((set) => set.sort(byAge).map(({ path }) => path));
}

/**
 * The rotated files of a log in its folder, oldest first; of a symbolic link also those in the folder of its target. A copy
 * that is being compressed counts once.
 */
export async function rotatedFrom(path: string): Promise<string[]> {
  const target = await realpath(path).catch(() => path);
  const places = new Set([await placeOfName(path), target]);
  return oldestFirst((await Promise.all([...places].map(rotatedInFolder))).flat());
}

/** The path without links in its folder. */
const placeOfName = async (path: string): Promise<string> =>
  join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));

async function rotatedInFolder(path: string): Promise<string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  const own = names.filter((name) => name !== basename(path) && rotated(name).base === basename(path));
  const whole = own.filter((name) => !(name.endsWith('.gz') && own.includes(name.slice(0, -'.gz'.length))));
  return whole.map((name) => join(dirname(path), name));
}

/** The known beginnings of rotated files. */
export type Beginnings = readonly Buffer[];

/** The beginnings of the rotated files of a log that have content and can be read. */
export async function beginningsOf(path: string): Promise<Beginnings> {
  const heads = await Promise.all((await rotatedFrom(path)).map(beginningOf));
  return heads.filter((head) => head !== undefined && head.length > 0) as Buffer[];
}

/**
 * The newest rotated file of a log, if it is not one of those that had the `earlier` beginnings: a copy of content that
 * was never read.
 */
export async function newCopy(
  path: string,
  earlier: Beginnings,
): Promise<{ path: string; isEmpty: boolean } | undefined> {
  const newest = (await rotatedFrom(path)).at(-1);
  const head = newest === undefined ? undefined : await beginningOf(newest);
  if (newest === undefined || head === undefined || earlier.some((each) => beginAlike(each, head)))
    return undefined;
  return { path: newest, isEmpty: head.length === 0 };
}

const beginningOf = (path: string): Promise<Buffer | undefined> => headOf(path).catch(() => undefined);

/** Whether one begins with the other: one of them may have been written to since. */
function beginAlike(one: Buffer, other: Buffer): boolean {
  const common = Math.min(one.length, other.length);
  return common > 0 && one.subarray(0, common).equals(other.subarray(0, common));
}

/**
 * The index of a log file among rotated files: the newest with the same beginning, under any name and compression; while
 * its beginning is unknown, the file with the same inode.
 * @returns -1: it is not among them.
 */
export async function placeOf({ head, dev, inode }: LogFile, files: readonly string[]): Promise<number> {
  for (let at = files.length - 1; at >= 0; at--) {
    const path = files[at]!;
    const isIt = head.length > 0 ? await begins(path, head) : await isFile(path, dev, inode);
    if (isIt) return at;
  }
  return -1;
}

const begins = (path: string, head: Buffer): Promise<boolean> =>
  headOf(path).then(
    (own) => own.subarray(0, head.length).equals(head),
    () => false,
  );

const isFile = (path: string, dev: number, inode: number): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.dev === dev && stats.ino === inode,
    () => false,
  );
