/** The gates that compare the method of a request with those of its route. */
import { errors } from '../../contract/errors.js';
import { refuse } from '../errors.js';
import type { Context } from '../state.js';

/** 405 for any other method. */
export const requireMethod =
  (allowed: readonly string[]) =>
  ({ req: { method = '' } }: Context): void => {
    if (!allowed.includes(method)) throw refuse(errors.methodNotAllowed(method, allowed));
  };

/** 405 for every OPTIONS that is not a preflight, on unknown paths. */
export const refuseOptions =
  (allowed: readonly string[]) =>
  ({ method }: Context): void => {
    if (method === 'OPTIONS') throw refuse(errors.methodNotAllowed(method, allowed));
  };

/** 405 for every method but GET and HEAD. */
export const requireRead = requireMethod(['GET', 'HEAD']);
