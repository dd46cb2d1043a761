/** Searches stored answers for names that were added, in a command. */
import type { Knex } from 'knex';
import { NamesBar } from '../progress/bars.js';

/** @returns How many answers were searched. A search that is interrupted is gone on with by a server, or the next command. */
export async function searchStoredAnswers(
  db: Knex,
  { now, isShown }: { readonly now: Date; readonly isShown: boolean },
): Promise<number> {
  const { searchNames } = await import('../../server/intake/dataset/name-search.js');
  const bar = new NamesBar(isShown);
  await bar.show();
  try {
    for await (const done of searchNames(db, { now })) bar.update(done);
  } finally {
    bar.stop();
  }
  return bar.answers;
}
