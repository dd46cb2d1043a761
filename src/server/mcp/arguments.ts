/** Converts the arguments of a tool call to the parameters of a read, with the error messages of the REST surface. */
import type { z } from 'zod';
import { errors } from '../../contract/errors.js';
import type { ChoiceParam, Param, Params } from '../../contract/params.js';
import { BRAND_ARGUMENT } from '../../contract/tools.js';
import { refuse } from '../errors.js';
import { parseParams, type RawParams } from '../parameters.js';

type Given = Readonly<Record<string, unknown>>;

/** Returns the arguments as an object. Absent and null mean an empty one. */
export function givenArguments(value: unknown): Given {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Given;
  throw refuse(errors.invalidArgument('arguments', shown(value), 'an object'));
}

/** The id of the requested brand. A value that is not a string is refused later, with the other arguments. */
export function brandOf(declared: Params, given: Given): string | undefined {
  const id =
    BRAND_ARGUMENT in declared && Object.hasOwn(given, BRAND_ARGUMENT) ? given[BRAND_ARGUMENT] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/**
 * Converts the arguments to the form of a parsed query string.
 * @throws 400 for an unknown or missing argument, or one of the wrong type.
 */
export function rawParams(declared: Params, schema: z.ZodType, given: Given): RawParams {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(declared, name));
  if (unknown.length > 0) throw refuse(errors.unknownArguments(unknown, Object.keys(declared)));
  const result = schema.safeParse(given);
  if (!result.success) throw explained(declared, given, result.error);
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name === BRAND_ARGUMENT ? 'brand' : name, String(value)]),
  );
}

/** The error of the first invalid argument. */
function explained(declared: Params, given: Given, { issues }: z.ZodError): Error {
  const name = String(issues[0]!.path[0]);
  const param = declared[name]!;
  const value = given[name];
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  try {
    // For a value that a query string can contain, the message is the same as over REST.
    parseParams({ [name]: param }, isScalar ? { [name]: String(value) } : {});
  } catch (error) {
    if (isScalar || value === undefined) return error as Error;
  }
  return refuse(errors.invalidArgument(name, shown(value), wanted(param)));
}

function wanted(param: Param): string {
  switch (param.kind) {
    case 'text':
      return 'a string';
    case 'engines':
      return 'a string: an engine id, or several separated by commas';
    case 'values':
      return 'a string: one value, or several separated by commas';
    case 'date':
      return 'a string, YYYY-MM-DD';
    case 'integer':
      return `an integer from ${param.minimum} to ${param.maximum}, without quotes`;
    case 'choice':
      return `one of ${param.values.map((value) => JSON.stringify(value)).join(', ')}${isNumeric(param) ? ', as a number without quotes' : ''}`;
    case 'boolean':
      return 'true or false, without quotes';
  }
}

const isNumeric = ({ values }: ChoiceParam): boolean => typeof values[0] === 'number';

/** The received value for a message. An object is not shown: it may be as large and as deep as the body allows. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value) ?? 'undefined';
}
