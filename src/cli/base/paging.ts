import { PAGE_LIMIT } from '../../contract/limits.js';
import { CommandError } from '../failure/command-error.js';

/** A page of a list. */
export interface Page {
  readonly next_cursor: string | null;
}

export interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
}

/**
 * Requests pages until `limit` rows have arrived. The request for the last page has exactly the number of missing rows, so
 * that its next_cursor continues directly after the last row.
 * @param limit The total number of rows; infinite: every row.
 * @param rowsOf Returns the rows of a page.
 */
export async function* pagesOf<P extends Page>(
  request: (page: PageRequest) => PromiseLike<P>,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  rowsOf: (page: P) => readonly unknown[],
): AsyncGenerator<P, void, undefined> {
  let next: string | null | undefined = cursor;
  for (let missing = limit; missing > 0 && next !== null; ) {
    const page: P = await request({ cursor: next, limit: Math.min(missing, PAGE_LIMIT.maximum) });
    yield page;
    if (page.next_cursor !== null && page.next_cursor === next) {
      throw new CommandError('unexpected', 'The server gave the same cursor twice.');
    }
    missing -= rowsOf(page).length;
    next = page.next_cursor;
  }
}
