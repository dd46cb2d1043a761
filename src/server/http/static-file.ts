/** Responses that are the same for everyone until the server is updated. They need no key. */
import type { Handler } from '../state.js';
import { etagOf, isUnchanged } from './conditional.js';
import { requireRead } from './routing.js';

/**
 * A handler that serves a content with a strong validator.
 * @param content Called on the first request; its value is kept. A failure is not kept.
 * @param headers Further headers of the response.
 */
export function serveStatic(
  type: string,
  content: () => string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Handler {
  let made: { readonly bytes: Buffer; readonly etag: string } | undefined;
  return (ctx) => {
    requireRead(ctx);
    if (!made) {
      const bytes = Buffer.from(content());
      made = { bytes, etag: etagOf(bytes) };
    }
    ctx.status = 200;
    ctx.set({
      ETag: made.etag,
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    });
    ctx.set('Content-Type', type);
    if (isUnchanged(ctx, made.etag)) ctx.status = 304;
    else ctx.body = made.bytes;
  };
}
