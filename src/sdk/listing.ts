import type { PAGE_LIMIT } from '../contract/limits.js';
import type { CallOptions } from './arguments.js';
import { SvcError } from './errors.js';
import type { Clock } from './pacing.js';
import type { WithResponse } from './response.js';

const MAX_PAGE: (typeof PAGE_LIMIT)['maximum'] = 200;

/** What every page has besides its rows. */
export interface PageEnvelope {
  /** The cursor of the page that follows; null: this is the last page. */
  next_cursor: string | null;
}

/** How a listing requests its pages. */
export interface PageSource<Page> {
  /** The name of the field with the rows of a page. */
  readonly rows: keyof Page & string;
  readonly clock: Clock;
  readonly options: CallOptions;
  readonly cursor: string | undefined;
  readonly limit: number | undefined;
  get(page: { cursor: string | undefined; limit: number }, options: CallOptions): Promise<WithResponse<Page>>;
}

/**
 * A list that is read in pages. `await` returns the first page, iteration yields the rows of all pages, with one
 * request per page. Nothing is requested before that.
 */
export class Listing<Page extends PageEnvelope, Row> implements PromiseLike<Page>, AsyncIterable<Row> {
  readonly #source: PageSource<Page>;
  #first: Promise<WithResponse<Page>> | undefined;

  constructor(source: PageSource<Page>) {
    this.#source = source;
  }

  /** Requests the first page, once, and passes it on, so that `await` returns it. */
  // biome-ignore lint/suspicious/noThenProperty: the class is meant to be awaited.
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.withResponse()
      .then((response) => response.data)
      .then(onPage, onError);
  }

  /** `then` with only the second argument. */
  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Page | B> {
    return this.then(null, onError);
  }

  /** Calls `onEnd` when the first page has arrived or failed. */
  finally(onEnd?: (() => void) | null): Promise<Page> {
    return this.then().finally(onEnd);
  }

  /** The first page with the data of its headers. */
  withResponse(): Promise<WithResponse<Page>> {
    this.#first ??= this.#page(this.#source.cursor, this.#source.options);
    return this.#first;
  }

  /** Every page as the API sends it, including `next_cursor`. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    const { clock, options } = this.#source;
    const began = clock.now();
    let cursor: string | null | undefined = this.#source.cursor;
    while (cursor !== null) {
      const deadline = options.deadline && options.deadline - (clock.now() - began);
      const { data }: WithResponse<Page> = await this.#page(cursor, { ...options, deadline });
      yield data;
      if (data.next_cursor === cursor) throw new SvcError('The server repeats a cursor.');
      cursor = data.next_cursor;
    }
  }

  /** Every row of every page. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined> {
    for await (const page of this.pages()) yield* this.#rowsOf(page);
  }

  /**
   * All rows in one array.
   * @throws SvcError if there are more than `max` rows, because no row is ever left out.
   */
  async all(options: { max: number }): Promise<Row[]> {
    // A caller without types may omit the argument.
    const { max } = { ...options };
    if (!(max >= 0)) throw new SvcError('all() needs a max.');
    const all: Row[] = [];
    for await (const row of this) {
      if (all.length >= max) {
        throw new SvcError(`More than ${max} ${this.#source.rows}: raise max, or iterate.`);
      }
      all.push(row);
    }
    return all;
  }

  async #page(cursor: string | undefined, options: CallOptions): Promise<WithResponse<Page>> {
    const { get, limit = MAX_PAGE, rows } = this.#source;
    const response = await get({ cursor, limit }, options);
    const { next_cursor: next } = response.data;
    // Without this check, the response of a server or proxy that ignores `limit` would count as the last page.
    if (!Array.isArray(this.#rowsOf(response.data)) || (next !== null && typeof next !== 'string')) {
      throw new SvcError(`The server's answer is not a page of ${rows}.`, {
        ...response,
        body: response.data,
      });
    }
    return response;
  }

  #rowsOf(page: Page): Row[] {
    return page[this.#source.rows] as Row[];
  }
}
