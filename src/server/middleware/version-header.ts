import { API_VERSION, headers } from '../../contract/versions.js';
import type { Middleware } from '../state.js';

/** Sets the version of the contract on every response of the two surfaces, errors included. */
export const versionHeader: Middleware = (ctx, next) => {
  ctx.set(headers.version, API_VERSION);
  return next();
};
