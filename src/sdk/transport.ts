import type { TokenBucket } from './bucket.js';
import type { CallOptions } from './call-options.js';
import { sleep, within } from './cancellation.js';
import type { Clock } from './clock.js';
import type { SvcError } from './errors.js';
import { exchange } from './exchange.js';
import type { Log } from './log.js';
import type { ResponseMetadata, WithResponse } from './metadata.js';
import { LONGEST_WAIT_MS, mayRetry, waitBefore } from './retry.js';

export interface TransportParts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly clock: Clock;
  readonly bucket: TokenBucket;
  readonly log: Log;
  readonly redact: (text: string) => string;
}

/** What a POST sends. */
export interface Content {
  readonly body: Uint8Array | ArrayBuffer | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often it is sent again after what is no refusal, which may have arrived (2). */
  readonly resends?: number;
}

/** Sends requests: paced by the key's bucket, tried again where that may help, within the call's deadline. */
export class Transport {
  readonly #parts: TransportParts;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  /**
   * GET of a path with its query, or POST of `content` to it.
   * @throws SvcError of the last attempt, or the reason of the caller's abort.
   */
  send(path: string, options: CallOptions, content?: Content): Promise<WithResponse<unknown>> {
    const { baseUrl, clock, bucket, log } = this.#parts;
    const { timeout, deadline, maxRetries = 0, onRetry } = options;
    const name = `${content ? 'POST' : 'GET'} ${path}`;
    const request = { ...this.#parts, url: baseUrl + path, ...content };
    const endsAt = clock.now() + (deadline ?? Number.POSITIVE_INFINITY);

    const untilAnswered = async (signal: AbortSignal) => {
      for (let refusals = 0, failures = 0; ; ) {
        const ticket = await bucket.take(signal, refusals + failures > 0);
        const tell = this.#story(name);
        try {
          const late = `No answer within ${timeout! / 1000} s: ${name}`;
          const answer = await within(clock, signal, timeout, late, (limited) => exchange(request, limited));
          tell('answered', answer);
          bucket.spend(ticket, answer.rateLimit);
          return answer;
        } catch (thrown) {
          if (signal.aborted) bucket.spend(ticket, null);
          signal.throwIfAborted();
          const error = thrown as SvcError;
          tell(error.status ?? error.name, error);
          const refused = error.status === 429;
          const attempt = refused ? ++refusals : ++failures;
          const wait = waitBefore(error, attempt);
          const again = mayRetry(error, attempt, maxRetries, content?.resends);
          // The bucket waits for everyone after a refusal, so that calls do not run into it one by one.
          const pause = refused ? bucket.refuse(ticket, Math.min(wait, LONGEST_WAIT_MS)) : wait;
          if (!refused) bucket.spend(ticket, error.rateLimit);
          if (!again || wait > LONGEST_WAIT_MS || clock.now() + wait >= endsAt) throw error;
          log.info(`${name}: ${error.message} Trying again in ${Math.ceil(pause / 1000)} s.`);
          onRetry?.(error, pause);
          if (!refused) await sleep(clock, wait, signal);
        }
      }
    };
    return within(clock, options.signal, deadline, `The deadline passed: ${name}`, untilAnswered);
  }

  /** Tells the log of a request, and of its end by the returned function. */
  #story(name: string): (end: unknown, response: ResponseMetadata) => void {
    const { clock, log } = this.#parts;
    const started = clock.now();
    log.debug(name);
    return (end, { rateLimit }) => {
      const left = rateLimit ? `, ${rateLimit.remaining} tokens left` : '';
      log.debug(`${name}: ${end}${left} after ${Math.round(clock.now() - started)} ms`);
    };
  }
}
