/** How the parameters of a read are called as arguments of its tool. */
import type { InferParams, Params, paging } from '../params.js';

/** The one parameter that is called otherwise in tools than in query strings. */
export const BRAND_ARGUMENT = 'brand_id';
const BRAND = 'brand';
/** Tools give whole answers, never pages. */
const PAGING: readonly (keyof typeof paging)[] = ['cursor', 'limit'];

type ArgumentName<K> = K extends typeof BRAND ? typeof BRAND_ARGUMENT : Exclude<K, keyof typeof paging>;

/** Arguments as a caller gives them. */
export type InferArguments<P> = InferParams<{ [K in keyof P as ArgumentName<K>]: P[K] }>;

/** The arguments that a tool declares, from the parameters of its read. */
export function toolArguments(params: Params): Params {
  const entries = Object.entries(params).filter(([name]) => !(PAGING as readonly string[]).includes(name));
  return Object.fromEntries(
    entries.map(([name, param]) => [name === BRAND ? BRAND_ARGUMENT : name, param] as const),
  );
}
