import { headers as names } from '../../contract/versions.js';
import type { SvcError } from '../../sdk/errors.js';
import { answerOf, failureOf } from '../../sdk/http.js';
import { metadataOf, type ResponseMetadata } from '../../sdk/metadata.js';
import { redactor } from '../../sdk/redaction.js';
import { fetchAs } from '../connection/fetch.js';
import { fromServer } from '../connection/server-check.js';

/** The response to one request, of any status. */
export interface Answer extends ResponseMetadata {
  readonly status: number;
  readonly data: unknown;
  /** The failure of a status that is not 2xx; null: there is none. */
  readonly error: SvcError | null;
  /** The Date header, in ms since the epoch; null: not stated, or invalid. */
  readonly date: number | null;
  /** The clock of this machine before and after the request, in ms since the epoch. */
  readonly sent: number;
  readonly received: number;
}

/** @throws SvcError without a status if no response arrives, or one that is not from an svc server. */
export type Ask = (path: string) => Promise<Answer>;

/** How long one request may take, in ms. */
const TIMEOUT_MS = 15_000;

/** Requests to a server without pacing and retries, so that each check reports what happened. */
export function requests(url: string, key: string | undefined, userAgent: string, signal: AbortSignal): Ask {
  const fetch = fromServer(fetchAs(userAgent));
  const redact = key === undefined ? (text: string) => text : redactor(key);
  const headers = { Accept: 'application/json', ...(key && { Authorization: `Bearer ${key}` }) };
  return async (path) => {
    const sent = Date.now();
    const ends = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const response = await fetch(url + path, { headers, signal: ends });
      const received = Date.now();
      const date = Date.parse(response.headers.get('Date') ?? '');
      const { data, error } = await answerOf(response, redact).then(
        (answer) => ({ data: answer.data, error: null }),
        (refusal: SvcError) => ({ data: null, error: refusal }),
      );
      const stated = { status: response.status, date: Number.isNaN(date) ? null : date };
      return { ...metadataOf(response.headers), ...stated, data, error, sent, received };
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error as Error, url, `No answer from ${url} within ${TIMEOUT_MS / 1000} s.`, redact);
    }
  };
}

/** The name of the header with the version of the API. */
export const VERSION_HEADER = names.version;
