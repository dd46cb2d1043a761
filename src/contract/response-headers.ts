/** Every header of the API's responses that has a meaning of its own: where it occurs, and what it means. */
import { keyKinds } from './keys.js';
import { RATE_LIMIT } from './limits.js';
import { API_VERSION, headers } from './versions.js';

export interface ResponseHeader {
  readonly name: string;
  /** Responses that have it, in words. */
  readonly on: string;
  readonly meaning: string;
  /**
   * `always`; `keyed`: responses to a known key; `read`: answers of reads; `csv`: those of lists as CSV; `ingest`: those of
   * crawler-events; `error`: errors that name it.
   */
  readonly occurs: 'always' | 'keyed' | 'read' | 'csv' | 'ingest' | 'error';
  readonly type: 'string' | 'integer';
  readonly values?: readonly string[];
  readonly example: string | number;
}

const ON_KEYED = 'every response to a known key';

export const responseHeaders: readonly ResponseHeader[] = [
  {
    name: headers.requestId,
    on: 'every response',
    meaning: 'the id of the request; name it when you report a failure',
    occurs: 'always',
    type: 'string',
    example: '06543f32-1772-4aa5-a364-e8fe028c4ed7',
  },
  {
    name: headers.version,
    on: 'everything under `/api/v1`, errors too',
    meaning: 'the date of the newest addition to the API',
    occurs: 'always',
    type: 'string',
    example: API_VERSION,
  },
  {
    name: headers.keyKind,
    on: ON_KEYED,
    meaning: 'the kind of the key',
    occurs: 'keyed',
    type: 'string',
    values: Object.keys(keyKinds),
    example: 'full',
  },
  {
    name: headers.rateLimit,
    on: ON_KEYED,
    meaning: 'the size of the bucket: requests a minute',
    occurs: 'keyed',
    type: 'integer',
    example: RATE_LIMIT.perMinute,
  },
  {
    name: headers.rateRemaining,
    on: ON_KEYED,
    meaning: 'whole tokens left in the bucket',
    occurs: 'keyed',
    type: 'integer',
    example: RATE_LIMIT.perMinute - 1,
  },
  {
    name: headers.rateReset,
    on: ON_KEYED,
    meaning: 'the epoch second at which the bucket is full again',
    occurs: 'keyed',
    type: 'integer',
    example: 1_795_183_385,
  },
  {
    name: headers.retryAfter,
    on: '429, and 503 when the database is unavailable, the server is busy or it holds too many logs',
    meaning: 'seconds to wait before the next attempt',
    occurs: 'error',
    type: 'integer',
    example: 1,
  },
  {
    name: 'WWW-Authenticate',
    on: '401',
    meaning: 'the scheme of the Authorization header',
    occurs: 'error',
    type: 'string',
    example: 'Bearer',
  },
  {
    name: 'Accept-Encoding',
    on: '415',
    meaning: 'the values of Content-Encoding that are accepted',
    occurs: 'error',
    type: 'string',
    example: 'gzip, deflate, br',
  },
  {
    name: 'ETag',
    on: 'every answer of a read',
    meaning: 'a strong validator; send it as `If-None-Match`',
    occurs: 'read',
    type: 'string',
    example: '"px45zrNk8F4mImUyrYUMl6rz160"',
  },
  {
    name: 'Cache-Control',
    on: 'every answer of a read',
    meaning: 'always `private, no-cache`: keep it, and revalidate it before each use',
    occurs: 'read',
    type: 'string',
    example: 'private, no-cache',
  },
  {
    name: 'Vary',
    on: 'every answer of a read',
    meaning: 'always has `Accept`: the same address has JSON and CSV',
    occurs: 'read',
    type: 'string',
    example: 'Accept',
  },
  {
    name: headers.link,
    on: 'pages as CSV, but not the last one',
    meaning: 'the page that follows, relative to the address of the request',
    occurs: 'csv',
    type: 'string',
    example: '<?limit=50&cursor=WzEsInByb21wdHMiLCJ0b3J2ZWxsbyIsInAwMiJd>; rel="next"',
  },
  {
    name: 'x-vercel-verify',
    on: '200 of crawler-events, if the request has such a code',
    meaning: 'the code that the request has, by which Vercel confirms a drain',
    occurs: 'ingest',
    type: 'string',
    example: 'f9b1c3d8',
  },
];
