import { SvcError } from './errors.js';

/** The options of one call. The client's options are the defaults. */
export interface CallOptions {
  /** Aborts the call, also while it waits for a token or a retry. The call rejects with the signal's reason. */
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
