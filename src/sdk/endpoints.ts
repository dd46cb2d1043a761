import type { Resources } from '../contract/registry.js';
import { type ApiPromise, apiPromise } from './api-promise.js';
import { type Arguments, type CallOptions, defined } from './call-options.js';
import { ingest } from './ingest/ingest.js';
import type { IngestOptions, IngestProgress } from './ingest/options.js';
import type { IngestSource } from './ingest/source.js';
import { Listing } from './listing.js';
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
export type Read<N extends ResourceName> = (...args: Arguments<TopParamsOf<N>>) => ApiPromise<ResponseOf<N>>;

export interface List<N extends ListName> {
  /** Rows in pages: await it for the first page, iterate it for all rows. */
  list(...args: Arguments<ParamsOf<N>>): Listing<PageOf<N>, RowOf<N>>;
  /** The unpaged read: one request for the first rows, up to the cap of the API. */
  top: Read<N>;
}

interface Query {
  readonly [name: string]: unknown;
}

/** The one resource that does not belong to a brand. */
const WORKSPACE_WIDE: ResourceName = 'brands';

/**
 * Makes the methods of a client from the names of resources. The types of parameters and results are the contract's.
 */
export class Endpoints {
  readonly #configuration: Configuration;
  /** The tools of the server's MCP endpoint, including reads that REST does not have. */
  readonly tools: Tools;

  constructor(options: SvcClientOptions = {}) {
    this.#configuration = configure(options);
    this.tools = createTools(this.#configuration);
  }

  /** The server's address, without a slash at its end. */
  get baseUrl(): string {
    return this.#configuration.baseUrl;
  }

  protected read<N extends ResourceName>(name: N): Read<N> {
    return (...[params, options]) =>
      apiPromise(this.#get<ResponseOf<N>>(name, params, this.#configuration.optionsOf(options)));
  }

  /** @param name The list; its rows are in a field of the same name. */
  protected list<N extends ListName>(name: N & Resources[N]['rows']): List<N> {
    return {
      list: (...[params, options]) => {
        const { cursor, limit, ...rest } = { ...params } as { cursor?: string; limit?: number };
        const get = (page: Query, own: CallOptions) => this.#get<PageOf<N>>(name, { ...rest, ...page }, own);
        const { clock, optionsOf } = this.#configuration;
        return new Listing({ rows: name, clock, options: optionsOf(options), cursor, limit, get });
      },
      top: this.read<N>(name),
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

  async #get<T>(
    name: ResourceName,
    params: object | undefined,
    options: CallOptions,
  ): Promise<WithResponse<T>> {
    const { brand, transport } = this.#configuration;
    const query = queryOf({ ...(name !== WORKSPACE_WIDE && { brand }), ...defined(params) });
    return (await transport.send(`/api/v1/${name}${query}`, options)) as WithResponse<T>;
  }
}
