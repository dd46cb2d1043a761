/** What calls take and return, by the names of reads and tools. */
import { SvcError } from './errors.js';
import type {
  ArgumentTypes,
  PageTypes,
  ParamTypes,
  PayloadTypes,
  ResponseTypes,
  RowTypes,
  TopParamTypes,
} from './types.js';

/** The options of one call. The client's options are the defaults. */
export interface CallOptions {
  /** Aborts the call, even while it waits for a token or a retry. The call rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Time limit of one request, including its body, in milliseconds (30000). */
  timeout?: number | undefined;
  /** Time limit of the whole call in milliseconds: waits, retries and, for lists, all pages (none). */
  deadline?: number | undefined;
  /** The number of retries after a 429 (8). Other failures are retried at most twice; 0 turns off all retries. */
  maxRetries?: number | undefined;
  /** Called before each wait for another attempt, with the failure and the wait in milliseconds. */
  onRetry?: ((error: SvcError, wait: number) => void) | undefined;
}

/** The parameters, optional if none of them is required, and the options of the call. */
export type Arguments<P> =
  Record<never, never> extends P
    ? [params?: P | undefined, options?: CallOptions | undefined]
    : [params: P, options?: CallOptions | undefined];

/**
 * The values that are neither undefined nor null, with lists as the API reads them: one text with commas.
 * @throws SvcError for an element that contains a comma: the API would read it as several, and could find all of them.
 */
export const defined = (values: object | undefined): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) => {
      if (!Array.isArray(value)) return value == null ? [] : [[name, value]];
      if (/,/.test(value.join(''))) throw new SvcError(`Comma in ${name}: ${value}.`);
      return [[name, `${value}`]];
    }),
  );

/**
 * The values that are neither undefined nor null.
 * @param kind The word for a name in the message: `parameter`, `option`.
 * @throws SvcError if a name is unknown. A misspelt `brand` that is ignored means the data of another brand.
 */
export function knownValues(
  kind: string,
  options: object | undefined,
  names: readonly string[],
): { readonly [name: string]: unknown } {
  const values = defined(options);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new SvcError(`Unknown ${kind}: ${unknown}. Known ${kind}s: ${names.join(', ') || 'none'}`);
  }
  return values;
}

/** Returns `?a=1&b=x,y`; empty if there are no values. */
export function queryOf(values: { readonly [name: string]: unknown }): string {
  const query = String(new URLSearchParams(defined(values) as Record<string, string>));
  return query && `?${query}`;
}

/** The reads that REST serves, by their path below /api/v1. */
export type ResourceName = keyof ResponseTypes;
/** The resources that can be read in pages. */
export type ListName = keyof PageTypes;
/** The tools of the server's MCP endpoint. */
export type ToolName = keyof PayloadTypes;

/** The result of a read. */
export type ResponseOf<N extends ResourceName> = ResponseTypes[N];
/** A page of a list: the envelope with the cursor of the next page. */
export type PageOf<N extends ListName> = PageTypes[N];
/** One row of a list. */
export type RowOf<N extends ListName> = RowTypes[N];
/** The parameters of a read, for a list with those of pages. */
export type ParamsOf<N extends ResourceName> = ParamTypes[N];
/** Parameters of the unpaged read. */
export type TopParamsOf<N extends ResourceName> = N extends ListName ? TopParamTypes[N] : ParamTypes[N];

/** The arguments of a tool. */
export type ToolArgumentsOf<N extends ToolName> = ArgumentTypes[N];
/** The payload of a tool. */
export type ToolPayloadOf<N extends ToolName> = PayloadTypes[N];
