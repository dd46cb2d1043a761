/** Earlier journals of the folder: what their calls used is the best estimate of what the next ones use, on average and at most. */
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { History } from './history.js';
import { readLines } from './line-file.js';

export const JOURNAL = '.journal';
const MOST_JOURNALS = 3;

/** The newest other journals of the folder. What cannot be read is left out: only estimates depend on it. */
export async function earlierJournals(path: string): Promise<History[]> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const others = names.filter((name) => name.endsWith(JOURNAL) && name !== basename(path));
  const dated = await Promise.all(
    others.map(async (name) => ({
      name,
      time: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  const newest = dated.sort((a, b) => b.time - a.time).slice(0, MOST_JOURNALS);
  const histories = await Promise.all(newest.map(({ name }) => historyIn(join(folder, name))));
  return histories.filter((history) => history !== null);
}

async function historyIn(path: string): Promise<History | null> {
  try {
    return History.of(await readLines(path), path);
  } catch {
    return null;
  }
}
