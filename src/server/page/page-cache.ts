/** Rendered pages, kept for an hour. What a page depends on is in its key, as for the answers to reads. */
import { LRUCache } from 'lru-cache';
import { READ_CACHE_SECONDS } from '../../contract/limits.js';
import { etagOf } from '../http/conditional.js';

export interface CachedPage {
  readonly bytes: Buffer;
  readonly etag: string;
}

const MAX_BYTES = 32 * 1024 * 1024;

export interface PageCache {
  /** The page under this key, rendered by `render` when it is not there. */
  get(key: string, render: () => Promise<string>): Promise<CachedPage>;
}

export function createPageCache(): PageCache {
  const pages = new LRUCache<string, CachedPage, () => Promise<string>>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 1,
    ttl: READ_CACHE_SECONDS * 1000,
    ttlResolution: 1000,
    ignoreFetchAbort: true,
    fetchMethod: async (_, __, { context: render }) => {
      const bytes = Buffer.from(await render());
      return { bytes, etag: etagOf(bytes) };
    },
  });
  return { get: async (key, render) => pages.get(key) ?? pages.forceFetch(key, { context: render }) };
}
