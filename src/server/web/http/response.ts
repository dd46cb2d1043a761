/** Sends responses with their headers; answers conditional requests (RFC 9110, section 13.1.2). */

import { type Validated, validated } from '../../base/validated.js';
import type { Context, Handler } from '../state.js';
import { requireRead } from './routing.js';

/** The headers of a response as names and values in turn. */
export function headerList({ state }: Context): string[] {
  const list: string[] = [];
  for (const [name, value] of state.headers) list.push(name, value);
  return list;
}

/**
 * Sends a response whose body is known by one call of `writeHead`. Koa would set its
 * headers one by one, as `State` explains.
 * @param headers Names and values in turn: all headers of the response but those that Node adds.
 * @param body Chunks that are sent in order. Joining them would copy a long payload.
 */
export function sendWhole(
  ctx: Context,
  status: number,
  headers: string[],
  body: readonly (Buffer | string)[],
): void {
  const { res } = ctx;
  ctx.respond = false;
  res.writeHead(status, headers);
  const last = body.length - 1;
  for (let at = 0; at < last; at++) res.write(body[at]);
  res.end(body[last]);
}

/**
 * Whether If-None-Match names this validator, so that the response is 304. Koa's `fresh` is false for a request with
 * `Cache-Control: no-cache`, which is about caches in between: `fetch` adds it to every request with If-None-Match.
 */
function isUnchanged({ headers }: Context, etag: string): boolean {
  const tags = headers['if-none-match'];
  if (tags === undefined) return false;
  return tags.trim() === '*' || tags.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

/** Sends a content with its ETag and the headers of the request's state, or 304 if the client has it. */
export function sendValidated(
  ctx: Context,
  { bytes, etag }: Validated,
  more: Readonly<Record<string, string>>,
): void {
  const { headers } = ctx.state;
  for (const name in more) headers.set(name, more[name]!);
  headers.set('ETag', etag);
  if (ctx.req.headers['if-none-match'] === undefined) {
    headers.set('Content-Length', String(bytes.length));
    sendWhole(ctx, 200, headerList(ctx), [bytes]);
    return;
  }
  ctx.status = 200;
  ctx.res.setHeaders(headers);
  if (isUnchanged(ctx, etag)) ctx.status = 304;
  else ctx.body = bytes;
}

/**
 * States that the response depends on a header of the request. It is collected with the other headers, which `ctx.vary` would
 * not do: once a single header was set, Node sets all others one by one too.
 */
export function varyBy({ state: { headers } }: Context, name: string): void {
  const others = headers.get('Vary');
  headers.set('Vary', others === undefined ? name : `${others}, ${name}`);
}

/**
 * A handler of a content that is the same for everyone until the server is updated. It needs no key.
 * @param content Called on the first request; its value is kept. A failure is not kept.
 * @param headers Further headers of the response.
 */
export function serveStatic(
  type: string,
  content: () => string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Handler {
  let made: Validated | undefined;
  return (ctx) => {
    requireRead(ctx);
    made ??= validated(content());
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
