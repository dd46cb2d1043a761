/** What the gates of a request find out, for the gates after them. */
import type Koa from 'koa';
import type { Access } from './accounts/access.js';
import type { Brand } from './accounts/find-brand.js';
import type { Surface } from './limits/buckets.js';

export interface State {
  requestId: string;
  /** Whose key it is; null: nobody's. Absent until it was looked up. */
  access?: Access | null;
  /** Why the key could not be looked up; the gate that needs it throws it. */
  lookUpError?: unknown;
  /** Which bucket the request's surface uses. */
  surface: Surface;
  /** The meter was passed and has put the bucket's state on the response. */
  metered?: boolean;
  brand?: Brand;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;
