import type { Ticket, TokenBucket } from './bucket.js';
import type { CallOptions } from './call-options.js';
import { type Guard, guard, sleep } from './cancellation.js';
import type { Clock } from './clock.js';
import { SvcError, TimeoutError } from './errors.js';
import { exchange, type Outcome } from './exchange.js';
import type { Logger } from './log.js';
import type { WithResponse } from './metadata.js';
import { LONGEST_WAIT_MS, mayRetry, waitBefore } from './retry.js';

export interface TransportParts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly clock: Clock;
  readonly bucket: TokenBucket;
  readonly log: Logger;
  readonly redact: (text: string) => string;
  /** Whether failures are tried again as often as refusals. */
  readonly patient?: boolean;
}

/** What a POST sends. */
export interface Content {
  readonly body: Uint8Array | ArrayBuffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** One call on its way: what it asks, for how long, and how it went so far. */
interface Call {
  readonly path: string;
  /** Method and path, for messages. */
  readonly name: string;
  readonly content: Content | undefined;
  readonly options: CallOptions;
  readonly guard: Guard;
  readonly endsAt: number;
}

/** Sends requests: paced by the key's bucket, tried again where that may help, within the call's deadline. */
export class Transport {
  readonly #parts: TransportParts;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  /**
   * GET of a path with its query, or POST of `content` to it, which must do no harm when it arrives twice.
   * @throws SvcError of the last attempt, or the reason of the caller's abort.
   */
  async send(path: string, options: CallOptions, content?: Content): Promise<WithResponse<unknown>> {
    const { clock } = this.#parts;
    const { signal, deadline } = options;
    const name = `${content ? 'POST' : 'GET'} ${path}`;
    const late = () => new TimeoutError(`The deadline passed: ${name}`);
    const call: Call = {
      path,
      name,
      content,
      options,
      guard: guard(clock, signal, deadline, late),
      endsAt: clock.now() + (deadline ?? Number.POSITIVE_INFINITY),
    };
    try {
      return await this.#untilAnswered(call);
    } finally {
      call.guard.release();
    }
  }

  async #untilAnswered(call: Call): Promise<WithResponse<unknown>> {
    const { clock, bucket, log, patient } = this.#parts;
    const { signal } = call.guard;
    for (let refusals = 0, failures = 0; ; ) {
      const ticket = await bucket.take(signal, refusals + failures > 0);
      const outcome = await this.#attempt(call, ticket);
      if ('answer' in outcome) {
        bucket.spend(ticket, outcome.answer.rateLimit);
        return outcome.answer;
      }
      const refused = outcome.error.status === 429;
      const attempt = refused ? ++refusals : ++failures;
      const wait = waitBefore(outcome, attempt);
      const again = mayRetry(outcome, attempt, call.options.maxRetries ?? 0, patient);
      // The bucket waits for everyone after a refusal, so that calls do not run into it one by one.
      if (refused) bucket.refuse(ticket, Math.min(wait, LONGEST_WAIT_MS));
      else bucket.spend(ticket, outcome.error.rateLimit);
      if (!again || wait > LONGEST_WAIT_MS || clock.now() + wait >= call.endsAt) throw outcome.error;
      log.info(`${call.name}: ${outcome.error.message} Trying again in ${Math.round(wait)} ms.`);
      if (!refused) await sleep(clock, wait, signal);
    }
  }

  /** One request. A timeout is a failure like others; the call's own end is not, and rejects. */
  async #attempt(call: Call, ticket: Ticket): Promise<Outcome> {
    const { baseUrl, apiKey, fetch, clock, bucket, log, redact } = this.#parts;
    const { timeout } = call.options;
    const late = () => new TimeoutError(`No answer within ${timeout} ms: ${call.name}`);
    const limited = guard(clock, call.guard.signal, timeout, late);
    const started = clock.now();
    try {
      log.debug(call.name);
      const request = { url: baseUrl + call.path, apiKey, fetch, redact, ...call.content };
      const outcome = await exchange(request, limited.signal);
      log.debug(`${call.name}: ${summary(outcome)} after ${Math.round(clock.now() - started)} ms`);
      return outcome;
    } catch (reason) {
      if (!call.guard.signal.aborted && reason instanceof SvcError)
        return { error: reason, retryAfterSeconds: null };
      bucket.spend(ticket, null);
      throw reason;
    } finally {
      limited.release();
    }
  }
}

function summary(outcome: Outcome): string {
  const { rateLimit } = 'answer' in outcome ? outcome.answer : outcome.error;
  const left = rateLimit ? `, ${rateLimit.remaining} tokens left` : '';
  return `${'answer' in outcome ? 'answered' : (outcome.error.status ?? outcome.error.name)}${left}`;
}
