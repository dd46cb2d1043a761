import type { Context } from '../state.js';

/** The headers of a response as names and values in turn: Node writes such a list faster than an object. */
export function headerList({ state }: Context): string[] {
  const list: string[] = [];
  for (const [name, value] of state.headers) list.push(name, value);
  return list;
}

/**
 * Sends a response whose body is known by one call of `writeHead`. Koa sets headers one by one, and Node then handles each of
 * them twice.
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
