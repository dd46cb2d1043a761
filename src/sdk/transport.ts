import type { Ticket, TokenBucket } from './bucket.js';
import type { CallOptions } from './call-options.js';
import { unlessAborted, within } from './cancellation.js';
import { type Clock, LONGEST_TIMER_MS } from './clock.js';
import { answerOf, failureOf } from './http.js';
import { loadKy } from './ky.js';
import type { Log } from './log.js';
import type { ResponseMetadata, WithResponse } from './metadata.js';
import { LONGEST_WAIT_MS, mayRetry, waitBefore } from './retry.js';
import { userAgent } from './user-agent.js';

export interface TransportParts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly clock: Clock;
  readonly bucket: TokenBucket;
  readonly log: Log;
  readonly redact: (text: string) => string;
}

/** The content of a POST. */
export interface Content {
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
    { timeout = 0, deadline = Number.POSITIVE_INFINITY, maxRetries = 0, onRetry }: CallOptions,
    { body, headers, resends }: Partial<Content> = {},
  ): Promise<WithResponse<unknown>> {
    const [method, path] = name.split(' ');
    const endsAt = clock.now() + deadline;
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
      const pause = refused ? bucket.refuse(ticket!, Math.min(wait, LONGEST_WAIT_MS)) : wait;
      if (!refused) bucket.spend(ticket!, error.rateLimit);
      ticket = undefined;
      const again = mayRetry(error, attempt, maxRetries, resends);
      if (!again || wait > LONGEST_WAIT_MS || clock.now() + wait >= endsAt) throw error;
      log.info(`${name}: ${error.message} Trying again in ${Math.ceil(pause / 1000)} s.`);
      onRetry?.(error, pause);
      if (refused) wait = 0;
      return true;
    };

    const take = async () => {
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
      timeout: Math.min(timeout, LONGEST_TIMER_MS),
      retry: { limit: Number.POSITIVE_INFINITY, methods: ['get', 'post'], shouldRetry, delay: () => wait },
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
