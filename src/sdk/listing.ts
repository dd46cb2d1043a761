import type { PAGE_LIMIT } from '../contract/limits.js';
import type { CallOptions } from './call-options.js';
import type { Clock } from './clock.js';
import { SvcError } from './errors.js';
import type { WithResponse } from './metadata.js';

const LARGEST_PAGE: (typeof PAGE_LIMIT)['maximum'] = 200;

/** What pages look like to the walk over them. */
interface Envelope {
  next_cursor: string | null;
}

/** How a listing gets its pages. */
export interface PageSource<Page> {
  /** The field of a page that holds the rows. */
  readonly rows: string;
  readonly clock: Clock;
  readonly options: CallOptions;
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
  get(page: { cursor: string | undefined; limit: number }, options: CallOptions): Promise<WithResponse<Page>>;
}

/**
 * A list that is read in pages. Nothing is asked for before it is used: awaited it is the first page, iterated it is every
 * row of every page, one request per page.
 */
export class Listing<Page extends Envelope, Row> implements PromiseLike<Page>, AsyncIterable<Row> {
  readonly #source: PageSource<Page>;
  #first: Promise<WithResponse<Page>> | undefined;

  constructor(source: PageSource<Page>) {
    this.#source = source;
  }

  // biome-ignore lint/suspicious/noThenProperty: being awaitable is what this class is for.
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then((response) => response.data)
      .then(onPage, onError);
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Page | B> {
    return this.then(null, onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.then().finally(onEnd);
  }

  /** The first page and what its headers say. */
  withResponse(): Promise<WithResponse<Page>> {
    this.#first ??= this.#page(this.#source.cursor, this.#source.options);
    return this.#first;
  }

  /** Every page as the API sends it, `next_cursor` included. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { clock, options } = this.#source;
    const began = clock.now();
    let cursor: string | null | undefined = this.#source.cursor;
    while (cursor !== null) {
      const deadline = options.deadline && options.deadline - (clock.now() - began);
      const { data }: WithResponse<Page> = await this.#page(cursor, { ...options, deadline });
      yield data;
      if (data.next_cursor === cursor) throw new SvcError('The server gave the same cursor twice.');
      cursor = data.next_cursor;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* this.#rowsOf(page);
  }

  /**
   * Every row in one array.
   * @throws SvcError when there are more than `max` rows; nothing is ever left out.
   */
  async all(options: { max: number }): Promise<Row[]> {
    // Without types it may be called with nothing.
    const { max } = { ...options };
    if (!(max >= 0)) throw new SvcError('all() needs a max: all({ max: 5000 }).');
    const all: Row[] = [];
    for await (const row of this) {
      if (all.length >= max) {
        throw new SvcError(`There are more than ${max} ${this.#source.rows}: raise max, or iterate.`);
      }
      all.push(row);
    }
    return all;
  }

  async #page(cursor: string | undefined, options: CallOptions): Promise<WithResponse<Page>> {
    const { get, limit = LARGEST_PAGE, rows } = this.#source;
    const response = await get({ cursor, limit }, options);
    const { next_cursor: next } = response.data;
    // A server or proxy that ignores `limit` would otherwise pass for a list that ends here.
    if (!Array.isArray(this.#rowsOf(response.data)) || (next !== null && typeof next !== 'string')) {
      throw new SvcError(`The server's answer is not a page of ${rows}.`, {
        ...response,
        body: response.data,
      });
    }
    return response;
  }

  #rowsOf(page: Page): Row[] {
    return (page as unknown as { [field: string]: Row[] })[this.#source.rows]!;
  }
}
