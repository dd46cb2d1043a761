/** Rendered pages, kept for an hour. What a page depends on is in its key, as for the answers to reads. */
import { READ_CACHE_SECONDS } from '../../contract/limits.js';
import { etagOf } from '../http/conditional.js';
import type { Waiter } from '../limits/audience.js';
import { createSharedCache } from '../reads/shared-cache.js';

export interface CachedPage {
  readonly bytes: Buffer;
  readonly etag: string;
}

const MAX_BYTES = 32 * 1024 * 1024;

/** Renders a page. @param gone Aborted when nobody waits for it any more. */
export type Render = (gone: AbortSignal) => Promise<string>;

export interface PageCache {
  /** The page under this key, rendered by `render` when it is not there. */
  get(key: string, waiter: Waiter, render: Render): Promise<CachedPage>;
}

export function createPageCache(): PageCache {
  const pages = createSharedCache<CachedPage>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 1,
    ttl: READ_CACHE_SECONDS * 1000,
    ttlResolution: 1000,
  });
  return {
    get: async (key, waiter, render) =>
      pages.peek(key) ??
      pages.make(key, waiter, async ({ gone }) => {
        const bytes = Buffer.from(await render(gone));
        return { bytes, etag: etagOf(bytes) };
      }),
  };
}
