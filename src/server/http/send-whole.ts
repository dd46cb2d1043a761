import type { Context } from '../state.js';

/**
 * Sends a response whose body is known, with the headers of the request's state, by one call of `writeHead`. Koa sets headers
 * one by one, and Node then handles each of them twice; it takes a list of them faster than an object.
 * @param body Chunks that are sent in order. Joining them would copy a long payload.
 */
export function sendWhole(ctx: Context, status: number, body: readonly (Buffer | string)[]): void {
  const { res, state } = ctx;
  const headers: string[] = [];
  for (const [name, value] of state.headers) headers.push(name, value);
  ctx.respond = false;
  res.writeHead(status, headers);
  const last = body.length - 1;
  for (let at = 0; at < last; at++) res.write(body[at]);
  res.end(body[last]);
}

/** Adds headers to those of the response, in their order. */
export function addHeaders({ state }: Context, headers: Readonly<Record<string, string>>): void {
  for (const name in headers) state.headers.set(name, headers[name]!);
}
