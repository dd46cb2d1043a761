import {
  type Arguments,
  type CallOptions,
  knownValues,
  type ListName,
  type PageOf,
  type ParamsOf,
  queryOf,
  type ResourceName,
  type ResponseOf,
  type RowOf,
  type TopParamsOf,
} from './arguments.js';
import { type IngestOptions, type IngestProgress, type IngestSource, ingest } from './ingest/ingest.js';
import { Listing, type PageSource } from './listing.js';
import { type Configuration, configure, type SvcClientOptions } from './options.js';
import { type ApiPromise, apiPromise, type WithResponse } from './response.js';
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

/**
 * Makes the methods of a client from the names of resources and of their parameters; the API ignores unknown
 * parameters, so they are refused here. `npm run generate` writes the methods.
 * @public The generated client extends it.
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

  /** @param takes The names of its parameters, with spaces between; if omitted, the brand only. */
  protected read<N extends ResourceName>(name: N, takes = 'brand'): Read<TopParamsOf<N>, ResponseOf<N>> {
    return (...[params, options]) =>
      apiPromise(this.#get(name, takes, params, this.#configuration.optionsOf(options)));
  }

  /**
   * @param name The list; its rows are in a field of the same name.
   * @param takes The names of its parameters except `cursor` and `limit`, with spaces between; if omitted, the brand only.
   */
  protected list<N extends ListName>(name: N & keyof PageOf<N>, takes = 'brand'): List<N> {
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
    takes: string,
    params: object | undefined,
    options: CallOptions,
    page: object = {},
  ): Promise<WithResponse<T>> {
    const { brand, transport } = this.#configuration;
    const names = [takes, ...Object.keys(page)].join(' ').trim().split(' ');
    const known = knownValues('parameter', params, names);
    const query = queryOf({ ...(takes.includes('brand') && { brand }), ...known, ...page });
    return (await transport(`/api/v1/${name}${query}`, options)) as WithResponse<T>;
  }
}
