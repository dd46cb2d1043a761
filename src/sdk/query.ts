import { defined } from './call-options.js';

/** `?a=1&b=x,y`; an array is one value with commas, as the API reads it. Empty where nothing was given. */
export function queryOf(values: { readonly [name: string]: unknown }): string {
  const query = String(new URLSearchParams(defined(values) as Record<string, string>));
  return query && `?${query}`;
}
