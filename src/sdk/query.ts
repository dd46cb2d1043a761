import { defined } from './call-options.js';
import { withCommas } from './with-commas.js';

/**
 * Returns `?a=1&b=x,y`, with arrays joined by commas as the API reads them; empty if there are no values.
 * @throws SvcError for an element of an array that contains a comma.
 */
export function queryOf(values: { readonly [name: string]: unknown }): string {
  const texts = Object.entries(defined(values)).map(([name, value]) => [name, withCommas(name, value)]);
  const query = String(new URLSearchParams(Object.fromEntries(texts) as Record<string, string>));
  return query && `?${query}`;
}
