import { type ApiPromise, apiPromise } from './api-promise.js';
import type { Arguments, CallOptions } from './call-options.js';
import { ingest } from './ingest/ingest.js';
import type { IngestOptions, IngestProgress } from './ingest/options.js';
import type { IngestSource } from './ingest/source.js';
import { knownValues, type NamesOf } from './known-names.js';
import { Listing, type PageSource } from './listing.js';
import type { WithResponse } from './metadata.js';
import { type Configuration, configure, type SvcClientOptions } from './options.js';
import { queryOf } from './query.js';
import type {
  ListName,
  PageOf,
  ParamsOf,
  ResourceName,
  ResponseOf,
  RowOf,
  TopParamsOf,
} from './resources.js';
import { createTools, type Tools } from './tools.js';

/** A read that returns one object. */
export type Read<Params, Response> = (...args: Arguments<Params>) => ApiPromise<Response>;

/** A list, which can be read in pages, or up to the cap of the API. */
export interface List<N extends ListName> {
  /** Rows in pages: await it for the first page, iterate it for all rows. */
  list(...args: Arguments<ParamsOf<N>>): Listing<PageOf<N>, RowOf<N>>;
  /** The unpaged read: one request for the first rows, up to the cap of the API. */
  top: Read<TopParamsOf<N>, ResponseOf<N>>;
}

/** The names of all parameters of a read except `cursor` and `limit`. */
type Names<N extends ResourceName> = NamesOf<TopParamsOf<N>>;

/**
 * Makes the methods of a client from the names of resources. The types of parameters and results are the contract's.
 */
export class Endpoints {
  readonly #configuration: Configuration;
  /** The tools of the server's MCP endpoint, including reads that REST does not have. */
  readonly tools: Tools;

  /** @throws SvcError if the URL or the key is missing or invalid. */
  constructor(options: SvcClientOptions = {}) {
    this.#configuration = configure(options);
    this.tools = createTools(this.#configuration);
  }

  /** The server's address, without a slash at its end. */
  get baseUrl(): string {
    return this.#configuration.baseUrl;
  }

  /** @param takes Its parameters. Others are refused, because the API ignores them. */
  protected read<N extends ResourceName>(name: N, takes: Names<N>): Read<TopParamsOf<N>, ResponseOf<N>> {
    return (...[params, options]) =>
      apiPromise(this.#get(name, takes, params, this.#configuration.optionsOf(options)));
  }

  /** @param name The list; its rows are in a field of the same name. */
  protected list<N extends ListName>(name: N & keyof ResponseOf<N>, takes: Names<N>): List<N> {
    return {
      list: (...[params, options]) => {
        const { cursor, limit } = { ...params } as { cursor?: string; limit?: number };
        const get: PageSource<PageOf<N>>['get'] = (page, own) => this.#get(name, takes, params, own, page);
        const { clock, optionsOf } = this.#configuration;
        return new Listing({ rows: name, clock, options: optionsOf(options), cursor, limit, get });
      },
      top: this.read<N>(name, takes),
    };
  }

  /**
   * Sends crawler logs of any size: lines of text, JSON lines, or one JSON document. It cuts them at newlines, never
   * inside one second of a text log, into bodies that the server accepts. The server recognises lines that were sent
   * before, and does not count them again.
   * @throws SvcError of the first body that could not be delivered; continue at the `offset` of the last progress.
   */
  ingest(source: IngestSource, options: IngestOptions = {}): Promise<IngestProgress> {
    return ingest(source, options, this.#configuration);
  }

  /** @param page The cursor and the limit, for lists that are read in pages. */
  async #get<T>(
    name: ResourceName,
    takes: object,
    params: object | undefined,
    options: CallOptions,
    page: object = {},
  ): Promise<WithResponse<T>> {
    const { brand, transport } = this.#configuration;
    const given = knownValues('parameter', params, { ...takes, ...page });
    const query = queryOf({ ...('brand' in takes && { brand }), ...given, ...page });
    return (await transport.send(`/api/v1/${name}${query}`, options)) as WithResponse<T>;
  }
}
