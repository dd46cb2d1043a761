/** Query parameters (tool arguments, flags): each is declared once here. */
import { PAGE_LIMIT } from './limits.js';

interface ParamBase {
  readonly description: string;
  readonly required?: boolean;
}
export interface TextParam extends ParamBase {
  readonly kind: 'text';
}
export interface IntegerParam extends ParamBase {
  readonly kind: 'integer';
  readonly minimum: number;
  readonly maximum: number;
}
export type Param = TextParam | IntegerParam;
export type Params = { readonly [name: string]: Param };

export const brand = {
  kind: 'text',
  description: 'Brand id; the first brand in scope when absent',
} as const satisfies Param;

/** The two parameters of every list; giving either turns the answer into a page. */
export const paging = {
  cursor: { kind: 'text', description: 'Continue after the page that gave this next_cursor' },
  limit: {
    kind: 'integer',
    minimum: PAGE_LIMIT.minimum,
    maximum: PAGE_LIMIT.maximum,
    description: `Rows of a page, ${PAGE_LIMIT.minimum} to ${PAGE_LIMIT.maximum} (${PAGE_LIMIT.default} when only a cursor is given)`,
  },
} as const satisfies Params;

type ParamValue<P> = P extends { kind: 'integer' } ? number : string;
type RequiredNames<P> = { [K in keyof P]: P[K] extends { required: true } ? K : never }[keyof P];

/** The parameters of a request as typed values. */
export type InferParams<P> = { [K in RequiredNames<P>]: ParamValue<P[K]> } & {
  [K in Exclude<keyof P, RequiredNames<P>>]?: ParamValue<P[K]> | undefined;
};
