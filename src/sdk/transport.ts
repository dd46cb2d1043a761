import type { CallOptions } from './arguments.js';
import { ConnectionError, errorOfStatus, SvcError, TimeoutError } from './errors.js';
import { loadKy } from './ky.js';
import { type Log, safeCause } from './log.js';
import { type Clock, MAX_TIMER_MS, type Ticket, type TokenBucket } from './pacing.js';
import { metadataOf, type ResponseMetadata, retryAfterSeconds, type WithResponse } from './response.js';

interface TransportParts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly clock: Clock;
  readonly bucket: TokenBucket;
  readonly log: Log;
  readonly redact: (text: string) => string;
}

interface Content {
  readonly body: Uint8Array | ArrayBuffer | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The limit of retries after a failure other than a 429, after which the request may have arrived (2). */
  readonly resends?: number;
}

/**
 * GET of a path with its query, or POST of `content` to it.
 * @throws SvcError of the last attempt, or the reason of the caller's abort.
 */
export type Transport = (
  path: string,
  options: CallOptions,
  content?: Content,
) => Promise<WithResponse<unknown>>;

/** Sends requests with ky: paced by the key's bucket, with retries, within the call's deadline. */
export function createTransport(parts: TransportParts): Transport {
  const { baseUrl, apiKey, fetch, clock, bucket, log, redact } = parts;

  /** Returns the first complete response. ky sends, limits the time and retries; this code decides whether and when. */
  async function firstResponse(
    name: string,
    signal: AbortSignal,
    { timeout = 0, deadline, maxRetries = 0, onRetry }: CallOptions,
    { body, headers, resends }: Partial<Content> = {},
  ): Promise<WithResponse<unknown>> {
    const [method, path] = name.split(' ');
    // NaN without a deadline: no time is later.
    const endsAt = clock.now() + deadline!;
    let refusals = 0;
    let failures = 0;
    let wait = 0;
    let ticket: Ticket | undefined;
    let answer: WithResponse<unknown> | undefined;

    const ended = (end: unknown, { rateLimit }: ResponseMetadata) => {
      const left = rateLimit ? `, ${rateLimit.remaining} tokens left` : '';
      log.debug(`${name}: ${end}${left} after ${Math.round(clock.now() - ticket!.sentAt)} ms`);
    };

    const shouldRetry = ({ error: thrown }: { error: Error }) => {
      if (signal.aborted) {
        if (ticket) bucket.spend(ticket, null);
        return false;
      }
      const error = failureOf(thrown, baseUrl, `No answer within ${timeout / 1000} s: ${name}`, redact);
      ended(error.status ?? error.name, error);
      const refused = error.status === 429;
      const attempt = refused ? ++refusals : ++failures;
      wait = waitBefore(error, attempt);
      // After a refusal the bucket pauses all calls, so that they are not refused one by one.
      const pause = refused ? bucket.refuse(ticket!, Math.min(wait, MAX_WAIT_MS)) : wait;
      if (!refused) bucket.spend(ticket!, error.rateLimit);
      ticket = undefined;
      const again = mayRetry(error, attempt, maxRetries, resends);
      if (!again || wait > MAX_WAIT_MS || clock.now() + wait >= endsAt) throw error;
      log.info(`${name}: ${error.message} Trying again in ${Math.ceil(pause / 1000)} s.`);
      onRetry?.(error, pause);
      if (refused) wait = 0;
      return true;
    };

    const take = async () => {
      if (wait > 0) await passed(clock, wait, signal);
      ticket = await bucket.take(signal, refusals + failures > 0);
      log.debug(name);
    };

    const attempt: typeof globalThis.fetch = async (...args) => {
      const response = await (fetch ?? globalThis.fetch)(...args);
      answer = await answerOf(response, redact);
      return response;
    };

    const ky = await loadKy();
    await ky(baseUrl + path!, {
      method: method!,
      body: body as ArrayBuffer,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${apiKey}`,
        'User-Agent': userAgent(),
        ...headers,
      },
      signal,
      timeout: Math.min(timeout, MAX_TIMER_MS),
      retry: { limit: Infinity, methods: ['get', 'post'], shouldRetry, delay: () => 0 },
      hooks: { beforeRequest: [take] },
      // The time limit of ky applies to fetch. This fetch also reads the body, so the limit includes it.
      fetch: (...args) => unlessAborted(signal, attempt(...args)),
    });
    ended('answered', answer!);
    bucket.spend(ticket!, answer!.rateLimit);
    return answer!;
  }

  return (path, options, content) => {
    const name = `${content ? 'POST' : 'GET'} ${path}`;
    return within(clock, options.signal, options.deadline, `The deadline passed: ${name}`, (signal) =>
      firstResponse(name, signal, options, content),
    );
  };
}

/** Waits by the clock, which ky does not know. */
function passed(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  let cancel: (() => void) | undefined;
  const wait = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  return unlessAborted(signal, wait).finally(cancel);
}

/** Waiting rarely helps after a failure other than a 429, so there are only two retries. */
const RETRIES_OF_FAILURES = 2;
const FIRST_BACKOFF_MS = 500;
/** The API's bucket never requires a longer wait. If something else does, the caller gets the error. */
const MAX_WAIT_MS = 60_000;
/** The wait after a refusal without Retry-After. The bucket gains a token in half of it. */
const UNSTATED_REFUSAL_MS = 1000;

/**
 * @param attempt The number of refusals (429), or of other failures, of this call so far, including this one.
 * @param resends The limit of retries after a failure: higher for log shipping, which runs unattended; 0 for a request
 * that must not arrive twice.
 */
export function mayRetry(
  error: SvcError,
  attempt: number,
  maxRetries: number,
  resends = RETRIES_OF_FAILURES,
): boolean {
  const most = error.status === 429 ? maxRetries : Math.min(maxRetries, resends);
  // A retry cannot help after a 501; 408 is the only status of 4xx besides 429 after which it can.
  return attempt <= most && (error.status === 408 || (error.retryable && error.status !== 501));
}

/**
 * The wait before the same request may be sent again, in milliseconds. Up to a quarter is added at random, so that
 * callers that were refused together do not retry together.
 */
export function waitBefore({ status, retryAfterSeconds: stated }: SvcError, attempt: number): number {
  const backoff =
    status === 429
      ? UNSTATED_REFUSAL_MS
      : Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_WAIT_MS / 1.25);
  return (stated === null ? backoff : stated * 1000) * (1 + Math.random() / 4);
}

/** The version of this package; a test compares it with package.json. */
export const SDK_VERSION = '0.1.0';

/**
 * The User-Agent of requests on Node, Bun and Deno. Undefined in browsers, which name themselves: there the header would
 * be dropped, or refused by CORS.
 */
const userAgent = (): string | undefined =>
  globalThis.process?.versions?.node && !('document' in globalThis)
    ? `answer-visibility-sdk/${SDK_VERSION}`
    : undefined;

/** The longest part of a body that is not JSON in an error. */
const MAX_ERROR_TEXT = 1000;

/**
 * Returns the JSON of a response.
 * @throws SvcError for every response that is not 2xx, or not JSON.
 */
export async function answerOf(
  response: Response,
  redact: (text: string) => string,
): Promise<WithResponse<unknown>> {
  const { status, ok, headers } = response;
  const text = await response.text();
  const metadata = metadataOf(headers);
  const json = parsed(ok ? text : redact(text));
  if (ok && json) return { data: json, ...metadata };
  const stated = (json as { error?: unknown } | undefined)?.error;
  const type = headers.get('Content-Type') ?? 'no content type';
  throw errorOfStatus(
    status,
    typeof stated === 'string'
      ? stated
      : `The answer is not JSON of the API (status ${status}, ${type}). Is the address right?`,
    {
      body: json ?? redact(text).slice(0, MAX_ERROR_TEXT),
      ...metadata,
      retryAfterSeconds: retryAfterSeconds(headers),
    },
  );
}

/** Parses a JSON object; undefined: the text is not one. Every response of the API is one. */
export function parsed(text = ''): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The error of a failed request. An SvcError is returned unchanged; others are copied without the data of the request.
 */
export function failureOf(
  thrown: Error,
  url: string,
  late: string,
  redact: (text: string) => string,
): SvcError {
  if (thrown instanceof SvcError) return thrown;
  if (thrown.name === 'TimeoutError') return new TimeoutError(late);
  const cause = safeCause(thrown, redact);
  return new ConnectionError(`No connection to ${new URL(url).origin}: ${rootMessage(cause)}`, { cause });
}

/** The message of fetch is only "fetch failed"; the reason is in its cause. */
function rootMessage(error: Error): string {
  const { cause } = error;
  if (cause instanceof Error) return rootMessage(cause);
  return error.message || (error as { code?: string }).code || error.name;
}

/**
 * Calls `use` with a signal that aborts with `parent`, or after `ms` milliseconds with a TimeoutError. Settles like
 * `use`, or rejects as soon as the signal aborts, without waiting for `use`. AbortSignal.any and AbortSignal.timeout
 * are not used, because they keep their sources in memory as long as the caller's own signal.
 */
function within<T>(
  clock: Clock,
  parent: AbortSignal | undefined,
  ms: number | undefined,
  late: string,
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const follow = () => controller.abort(parent?.reason);
  const stop = () => controller.abort(new TimeoutError(late));
  if (parent?.aborted) follow();
  // False if no limit is set, too.
  if (ms! <= 0) stop();
  parent?.addEventListener('abort', follow);
  const cancelTimer = ms === undefined ? undefined : clock.after(ms, stop);
  return unlessAborted(controller.signal, use(controller.signal)).finally(() => {
    cancelTimer?.();
    parent?.removeEventListener('abort', follow);
  });
}

/** Settles like `promise`, or rejects with the signal's reason as soon as the signal aborts. */
export function unlessAborted<T>(signal: AbortSignal | undefined, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
  });
}
