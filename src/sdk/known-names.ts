import { defined } from './call-options.js';
import { SvcError } from './errors.js';

/**
 * The values that are neither undefined nor null.
 * @param kind The word for a name in the message: `parameter`, `option`.
 * @throws SvcError if a name is unknown. A misspelt `brand` that is ignored means the data of another brand.
 */
export function knownValues(
  kind: string,
  given: object | undefined,
  names: readonly string[],
): { readonly [name: string]: unknown } {
  const values = defined(given);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new SvcError(`Unknown ${kind}: ${unknown}. Known ${kind}s: ${names.join(', ') || 'none'}`);
  }
  return values;
}
