/** The state of a request, which the gates set for later gates. */
import type Koa from 'koa';
import type { Access } from './accounts/access.js';
import type { Brand } from './accounts/find-brand.js';
import type { Surface } from './limits/buckets.js';

export interface State {
  requestId: string;
  /** The access of the request's key; null: no key, or an unknown one. Absent before the look-up. */
  access?: Access | null;
  /** The error of a failed look-up of the key. The gate that needs the key throws it. */
  lookUpError?: unknown;
  /** Which bucket the request's surface uses. */
  surface: Surface;
  /** Whether the meter was passed and has set the headers of the bucket. */
  metered?: boolean;
  brand?: Brand;
}

export type Context = Koa.ParameterizedContext<State>;
export type Middleware = Koa.Middleware<State>;
