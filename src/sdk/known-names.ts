import { defined } from './call-options.js';
import { SvcError } from './errors.js';

/** The keys of T as an object, which does not compile if one is missing or unknown. */
export type NamesOf<T> = { readonly [name in keyof T]-?: 1 };

/**
 * The values that are neither undefined nor null.
 * @param kind The word for a name in the message: `parameter`, `option`.
 * @throws SvcError if a name is unknown. A misspelt `brand` that is ignored means the data of another brand.
 */
export function knownValues(
  kind: string,
  given: object | undefined,
  known: object,
): { readonly [name: string]: unknown } {
  const values = defined(given);
  const names = Object.keys(known);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new SvcError(`Unknown ${kind}: ${unknown}. Known ${kind}s: ${names.join(', ') || 'none'}`);
  }
  return values;
}
