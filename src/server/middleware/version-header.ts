import { API_VERSION, headers } from '../../contract/versions.js';
import type { Middleware } from '../state.js';

/** Every response of the two surfaces says which version of the contract it keeps, errors included. */
export const versionHeader: Middleware = (ctx, next) => {
  ctx.set(headers.version, API_VERSION);
  return next();
};
