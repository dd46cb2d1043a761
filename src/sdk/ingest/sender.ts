import type { IngestResult } from '../../contract/crawler-events.js';
import type { CallOptions } from '../call-options.js';
import { PayloadTooLargeError } from '../errors.js';
import type { WithResponse } from '../metadata.js';
import type { Configuration } from '../options.js';
import { queryOf } from '../query.js';
import { batchesOf } from './batches.js';
import type { IngestProgress } from './options.js';

/** The counters that the server returns for each body. */
const counters: IngestResult = { inserted: 0, matched: 0, totalLines: 0, unparsed: 0 };

/** Compresses a body with gzip. */
export type Gzip = (bytes: Uint8Array) => Promise<Uint8Array | ArrayBuffer>;

/** Sends one body as one request, with the retries of the options. */
export type Post = (bytes: Uint8Array) => Promise<WithResponse<unknown>>;

/** Posts to the crawler logs of a brand, by default the client's. Compresses the body if `gzip` is given. */
export function poster(
  { brand, shipping, optionsOf }: Configuration,
  options: CallOptions & { brand?: string | undefined },
  gzip: Gzip | false | undefined,
): Post {
  const path = `/api/v1/crawler-events${queryOf({ brand: options.brand ?? brand })}`;
  const call = optionsOf(options, { deadline: undefined });
  const resends = Number.POSITIVE_INFINITY;
  return async (bytes) =>
    shipping(path, call, {
      body: gzip ? await gzip(bytes) : bytes,
      ...(gzip && { headers: { 'Content-Encoding': 'gzip' } }),
      resends,
    });
}

/** Progress before the first body. */
export const noProgress = (offset: number): IngestProgress => ({
  ...counters,
  bytes: 0,
  bodies: 0,
  skippedLines: 0,
  offset,
});

/**
 * Sends a body, or its halves if the server refuses it as too large, and adds the counters, bodies and skipped lines to
 * `totals`.
 * @throws SvcError of a body that could not be delivered.
 */
export async function send(
  bytes: Uint8Array,
  totals: IngestProgress,
  post: Post,
  warn: (message: string) => void,
): Promise<void> {
  const space = 32;
  // The server refuses a blank body.
  if (bytes.every((byte) => byte <= space)) return;
  try {
    const { data } = await post(bytes);
    for (const name of Object.keys(counters) as (keyof IngestResult)[]) {
      totals[name] += (data as IngestResult)[name];
    }
    totals.bodies += 1;
  } catch (error) {
    if (!(error instanceof PayloadTooLargeError)) throw error;
    const half = { target: bytes.length / 2, overrun: 0, warn };
    const parts: Uint8Array[] = [];
    for await (const part of batchesOf([bytes], half, 0, totals)) parts.push(part.bytes);
    if (parts.some((part) => part.length >= bytes.length)) totals.skippedLines += 1;
    else for (const part of parts) await send(part, totals, post, warn);
  }
}
