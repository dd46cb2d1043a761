import type { Context } from '../state.js';

/**
 * States that the response depends on a header of the request. It is collected with the other headers, which `ctx.vary` would
 * not do: once a header was set alone, Node sets all others one by one too.
 */
export function varyBy({ state: { headers } }: Context, name: string): void {
  const others = headers.get('Vary');
  headers.set('Vary', others === undefined ? name : `${others}, ${name}`);
}
