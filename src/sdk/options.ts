import type { CallOptions } from './call-options.js';
import { type Clock, systemClock } from './clock.js';
import { SvcError } from './errors.js';
import { createLog, type Logger, type LogLevel } from './log.js';
import { bucketOf, type Lane } from './pacing.js';
import { redactor } from './redaction.js';
import { Transport } from './transport.js';

export interface SvcClientOptions extends Omit<CallOptions, 'signal'> {
  /** Where the server is, without `/api/v1` (SVC_URL). */
  baseUrl?: string | undefined;
  /** The API key (SVC_API_KEY). */
  apiKey?: string | undefined;
  /** The brand that calls without `brand` mean (SVC_BRAND, else the server's default). */
  brand?: string | undefined;
  /** Sends the requests in place of the global fetch; called with a Request. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Takes the log lines (console). */
  logger?: Logger | undefined;
  /** What is logged: `info` when a logger is given, else `off`. */
  logLevel?: LogLevel | undefined;
  /** Time and timers, for tests. */
  clock?: Clock | undefined;
}

/** A client's options with the environment and the defaults applied. */
export interface Configuration {
  readonly baseUrl: string;
  readonly brand: string | undefined;
  readonly clock: Clock;
  readonly defaults: CallOptions;
  readonly transport: Transport;
  /** Ships logs: a bucket of its own, and more patience. */
  readonly shipping: Transport;
  readonly log: Logger;
}

/** @throws SvcError without a usable URL or key. */
export function configure(options: SvcClientOptions): Configuration {
  const env = environment();
  const baseUrl = checkedUrl(options.baseUrl || env.SVC_URL);
  const apiKey = checkedKey(options.apiKey || env.SVC_API_KEY);
  const { clock = systemClock, fetch, timeout = 30_000, deadline, maxRetries = 8 } = options;
  const redact = redactor(apiKey);
  const level = options.logLevel ?? (options.logger ? 'info' : 'off');
  const log = createLog(options.logger ?? globalThis.console, level, redact);
  const parts = { baseUrl, apiKey, fetch, clock, log, redact };
  const bucket = (lane: Lane) => bucketOf(clock, lane, baseUrl, apiKey);
  const transport = new Transport({ ...parts, bucket: bucket('reads') });
  const shipping = new Transport({ ...parts, bucket: bucket('ingest'), patient: true });
  const brand = options.brand || env.SVC_BRAND || undefined;
  const defaults = { timeout, deadline, maxRetries };
  return { baseUrl, brand, clock, defaults, transport, shipping, log };
}

/** The environment where there is one: browsers and workers have no process. */
const environment = (): Record<string, string | undefined> => globalThis.process?.env ?? {};

function checkedUrl(given: string | undefined): string {
  if (!given) throw new SvcError('No server address: give baseUrl or set SVC_URL.');
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new SvcError('baseUrl (SVC_URL) is not an http or https address.');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new SvcError('baseUrl (SVC_URL) must not have a user, password, query or fragment.');
  }
  return url.href.replace(/\/+$/, '');
}

/** A key that no header can carry would otherwise come back in the text of fetch's own error. */
function checkedKey(given: string | undefined): string {
  const key = given?.trim();
  if (!key) throw new SvcError('No API key: give apiKey or set SVC_API_KEY.');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new SvcError('apiKey (SVC_API_KEY) has characters that a key cannot have.');
  }
  return key;
}
