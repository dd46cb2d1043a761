import { defined } from './call-options.js';

/** Returns `?a=1&b=x,y`; empty if there are no values. */
export function queryOf(values: { readonly [name: string]: unknown }): string {
  const query = String(new URLSearchParams(defined(values) as Record<string, string>));
  return query && `?${query}`;
}
