import { type CallOptions, defined } from './arguments.js';
import { SvcError } from './errors.js';
import { createLog, type Log, type Logger, type LogLevel, redactor } from './log.js';
import { bucketOf, type Clock, type Lane, systemClock } from './pacing.js';
import { createTransport, type Transport } from './transport.js';

/** The options of a client; those of a call are the defaults of its calls. */
export interface SvcClientOptions extends Omit<CallOptions, 'signal'> {
  /** The address of the server, without `/api/v1` (SVC_URL). */
  baseUrl?: string | undefined;
  /** The API key (SVC_API_KEY). */
  apiKey?: string | undefined;
  /** The brand of calls without `brand` (SVC_BRAND, else the server's default). */
  brand?: string | undefined;
  /** Used instead of the global fetch; called with a Request. */
  fetch?: typeof globalThis.fetch | undefined;
  /** The receiver of the log lines (console). */
  logger?: Logger | undefined;
  /** The lowest level that is logged (`info` with a logger, else `off`). */
  logLevel?: LogLevel | undefined;
  /** The clock for pacing and deadlines, for tests. */
  clock?: Clock | undefined;
}

/** The options of a client, completed by the environment and the defaults. */
export interface Configuration {
  readonly baseUrl: string;
  readonly brand: string | undefined;
  readonly clock: Clock;
  /** The options of a call, completed by those of its method and of the client. */
  readonly optionsOf: (call: CallOptions | undefined, own?: CallOptions) => CallOptions;
  readonly transport: Transport;
  /** The transport for logs, with its own bucket. */
  readonly shipping: Transport;
  readonly log: Log;
  /** Hides the key in a text. */
  readonly redact: (text: string) => string;
}

/** @throws SvcError if the URL or the key is missing or invalid. */
export function configure(options: SvcClientOptions): Configuration {
  const env = environment();
  const baseUrl = checkedUrl(options.baseUrl || env.SVC_URL);
  const apiKey = checkedKey(options.apiKey || env.SVC_API_KEY);
  const { clock = systemClock, fetch } = options;
  const redact = redactor(apiKey);
  const level = options.logLevel ?? (options.logger ? 'info' : 'off');
  const log = createLog(options.logger ?? globalThis.console, level, redact);
  const parts = { baseUrl, apiKey, fetch, clock, log, redact };
  const bucket = (lane: Lane) => bucketOf(clock, lane, baseUrl, apiKey);
  const transport = createTransport({ ...parts, bucket: bucket('reads') });
  const shipping = createTransport({ ...parts, bucket: bucket('ingest') });
  const brand = options.brand || env.SVC_BRAND || undefined;
  const optionsOf = (call?: CallOptions, own?: CallOptions): CallOptions => ({
    timeout: 30_000,
    maxRetries: 8,
    ...defined(options),
    ...own,
    ...defined(call),
  });
  return { baseUrl, brand, clock, optionsOf, transport, shipping, log, redact };
}

/** The environment variables; none in browsers and workers, which have no process. */
const environment = (): Record<string, string | undefined> => globalThis.process?.env ?? {};

/** @throws SvcError if the value is not the address of a server. */
export function checkedUrl(url: string | undefined): string {
  if (!url) throw new SvcError('No server address: set baseUrl or SVC_URL.');
  const { href = '', origin = '', pathname = '' }: Partial<URL> = URL.canParse(url) ? new URL(url) : {};
  // An address with a user, a password, a query or a fragment differs from its origin and path.
  if (!/^https?:/.test(href) || href !== origin + pathname) {
    throw new SvcError('baseUrl (SVC_URL) is not an http or https address, without a user or query.');
  }
  return href.replace(/\/+$/, '');
}

/** Refuses a key that is not valid in a header, because the error message of fetch would contain the key. */
function checkedKey(text: string | undefined): string {
  const key = text?.trim();
  if (!key) throw new SvcError('No API key: set apiKey or SVC_API_KEY.');
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new SvcError('apiKey (SVC_API_KEY) contains invalid characters.');
  }
  return key;
}
