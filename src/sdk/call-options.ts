import type { SvcError } from './errors.js';

/** What one call may set for itself; the client's options are the defaults. */
export interface CallOptions {
  /** Ends the call, also while it waits for a token or a retry; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for one request, its body included (30000). */
  timeout?: number | undefined;
  /** Milliseconds for the whole call: waits, retries and, for lists, every page (none). */
  deadline?: number | undefined;
  /** How often a 429 is tried again (8). Other failures are tried again at most twice; 0 turns both off. */
  maxRetries?: number | undefined;
  /** Called before each wait for another attempt: with the failure, and the milliseconds until then. */
  onRetry?: ((error: SvcError, wait: number) => void) | undefined;
}

/** Parameters, which may be left out as a whole where none of them is required, and the call's own options. */
export type Arguments<P> =
  Record<never, never> extends P
    ? [params?: P | undefined, options?: CallOptions | undefined]
    : [params: P, options?: CallOptions | undefined];

/** What of these values was given; null is not. */
export const defined = (values: object | undefined): { readonly [name: string]: unknown } =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value != null));
