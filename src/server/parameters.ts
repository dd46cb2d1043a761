/** From what a request says to typed parameters: the same for query strings and tool arguments. */
import { errors } from '../contract/errors.js';
import type { IntegerParam, Param, Params } from '../contract/params.js';
import { refuse } from './errors.js';

/** A query string as parsed: a name given several times is an array. */
export type RawParams = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The parameters that a resource declares; what it does not declare is ignored.
 * @throws 400 naming the parameter, what came and what is allowed.
 */
export function parseParams(declared: Params, raw: RawParams): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  for (const [name, param] of Object.entries(declared)) {
    const value = single(name, raw);
    if (value !== undefined) values[name] = parse(name, param, value);
  }
  return values;
}

/** A parameter that may be given once. */
function single(name: string, raw: RawParams): string | undefined {
  const value = raw[name];
  if (Array.isArray(value)) throw refuse(errors.repeatedParam(name, value.length));
  return value;
}

function parse(name: string, param: Param, value: string): string | number {
  switch (param.kind) {
    case 'text':
      return value;
    case 'integer':
      return integer(name, param, value);
  }
}

function integer(name: string, { minimum, maximum }: IntegerParam, value: string): number {
  const number = /^[+-]?\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw refuse(errors.invalidInteger(name, value, minimum, maximum));
}
