import { PAGE_LIMIT } from '../../contract/limits.js';
import { CommandError } from '../failure/command-error.js';

/** A list as one envelope per page. */
export interface Page {
  readonly next_cursor: string | null;
}

export interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * Pages until `limit` rows have come. The last page is asked for with exactly what is missing, so that its
 * next_cursor goes on right behind the last row.
 * @param limit Rows in all; infinite: every row.
 * @param rowsOf Rows of a page.
 */
export async function* pagesOf<P extends Page>(
  ask: (request: PageRequest) => PromiseLike<P>,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  rowsOf: (page: P) => readonly unknown[],
): AsyncGenerator<P, void, undefined> {
  let next: string | null | undefined = cursor;
  for (let missing = limit; missing > 0 && next !== null; ) {
    const page: P = await ask({ cursor: next, limit: Math.min(missing, PAGE_LIMIT.maximum) });
    yield page;
    if (page.next_cursor !== null && page.next_cursor === next) {
      throw new CommandError('unexpected', 'The server gave the same cursor twice.');
    }
    missing -= rowsOf(page).length;
    next = page.next_cursor;
  }
}
