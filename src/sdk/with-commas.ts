import { SvcError } from './errors.js';

/**
 * The value of a parameter as the API reads it: a list becomes one text with commas, everything else is returned as it is.
 * @throws SvcError for an element that contains a comma: the API would read it as several, and could find all of them.
 */
export function withCommas(name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const split = value.find((element) => String(element).includes(','));
  if (split === undefined) return String(value);
  throw new SvcError(`Invalid ${name}: an element of the array contains a comma: ${split}`);
}
