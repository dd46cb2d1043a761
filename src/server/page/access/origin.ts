/** Protects forms: a page of another origin must not send them with the cookie of its visitor. */
import { errors } from '../../../contract/errors.js';
import { refuse } from '../../errors.js';
import type { Context } from '../../state.js';

/**
 * 403 for an Origin that is neither the host of the request nor the public address. Every browser states it with a form
 * that is posted. The scheme is not compared, because a proxy may have removed TLS.
 */
export const requireOwnOrigin =
  (publicUrl: string | null) =>
  (ctx: Context): void => {
    const origin = ctx.get('Origin');
    const host = URL.canParse(origin) ? new URL(origin).host : undefined;
    const isOwn =
      host !== undefined && (host === ctx.host || (publicUrl !== null && host === new URL(publicUrl).host));
    if (!isOwn) throw refuse(errors.originNotAllowed(origin));
  };
