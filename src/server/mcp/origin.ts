/** Protects against DNS rebinding: a foreign web page must not reach a server on the machine of its visitor. */
import { errors } from '../../contract/errors.js';
import { isLoopback } from '../../contract/loopback.js';
import { refuse } from '../errors.js';
import type { Context } from '../state.js';

/** 403 for an Origin that is neither listed nor loopback. Host is not checked, because a rebinding page forges it. */
export const requireOrigin =
  (allowedOrigins: ReadonlySet<string>) =>
  ({ headers: { origin } }: Context): void => {
    if (origin !== undefined && !allowedOrigins.has(origin) && !isLocal(origin))
      throw refuse(errors.originNotAllowed(origin));
  };

function isLocal(origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return /^https?:$/.test(protocol) && isLoopback(hostname);
}
