import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What rotation puts behind the name of a log: `.1`, `.2.gz`, `-20261120`, `-20261120-1700000000.gz`. */
const suffix = /^(?<base>.+?)(?:\.(?<number>\d{1,5})|[.-](?<date>\d{4}-?\d\d-?\d\d(?:[-T.]?\d+)?))(?:\.gz)?$/;

interface Rotated {
  readonly path: string;
  /** The name of the log itself. */
  readonly base: string;
  /** Rises with age: 0 for the log itself. */
  readonly number: number;
  readonly date: string;
}

function rotated(path: string): Rotated {
  const { base, number, date } = suffix.exec(path)?.groups ?? {};
  const plain = base ?? path.replace(/\.gz$/, '');
  return { path, base: plain, number: Number(number ?? 0), date: date ?? '' };
}

/** Dated ones before numbered ones before the log itself, each oldest first. */
function byAge(a: Rotated, b: Rotated): number {
  if (a.date !== b.date) return a.date === '' ? 1 : b.date === '' ? -1 : a.date < b.date ? -1 : 1;
  return b.number - a.number;
}

/** The files in their order, but those that one log was rotated into oldest first, where the first of them stands. */
export function oldestFirst(paths: readonly string[]): string[] {
  const sets = new Map<string, Rotated[]>();
  for (const each of paths.map(rotated)) sets.set(each.base, [...(sets.get(each.base) ?? []), each]);
  return [...sets.values()].flatMap((set) => set.sort(byAge).map(({ path }) => path));
}

/** The files beside a log that it was rotated into, oldest first. */
export async function rotatedFrom(path: string): Promise<string[]> {
  const names = await readdir(dirname(path)).catch(() => []);
  const own = names.filter((name) => name !== basename(path) && rotated(name).base === basename(path));
  return oldestFirst(own.map((name) => join(dirname(path), name)));
}
