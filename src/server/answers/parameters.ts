/** Parses typed parameters, the same for query strings and tool arguments. */
import { type EngineId, findEngine, inTableOrder } from '../../contract/engines.js';
import { errors } from '../../contract/errors.js';
import { RANGE_DAYS_MAX } from '../../contract/limits.js';
import {
  type ChoiceParam,
  type IntegerParam,
  type Param,
  type Params,
  wantedValue,
} from '../../contract/params.js';
import { daysIn, isDay } from '../base/days.js';
import { refuse } from '../base/errors.js';

/** A query string as parsed: a name given several times is an array. */
export type RawParams = Readonly<Record<string, string | string[] | undefined>>;

type ParamValue = string | number | boolean | readonly EngineId[] | readonly string[];
export type Values = Record<string, ParamValue>;

/**
 * Parses the parameters that a resource declares. Undeclared ones are ignored.
 * @throws 400 with the parameter, the received value and the allowed values.
 */
export function parseParams(declared: Params, raw: RawParams): Values {
  const values: Values = {};
  for (const name of Object.keys(declared)) {
    const param = declared[name]!;
    const value = single(name, raw);
    if (value !== undefined) values[name] = parse(name, param, value);
    else if (param.required) throw refuse(errors.missingParam(name, wantedValue(param)));
  }
  if ('from' in declared) requireRange(values);
  return values;
}

/** The value of a parameter, which may be given only once. */
function single(name: string, raw: RawParams): string | undefined {
  const value = raw[name];
  if (Array.isArray(value)) throw refuse(errors.repeatedParam(name, value.length));
  return value;
}

function parse(name: string, param: Param, value: string): ParamValue {
  switch (param.kind) {
    case 'text':
      return value;
    case 'integer':
      return integer(name, param, value);
    case 'choice':
      return choice(name, param, value);
    case 'date':
      return date(name, value);
    case 'engines':
      return engineList(name, value);
    case 'values':
      return [...new Set(elements(name, value))];
    case 'boolean':
      return choice(name, TRUE_OR_FALSE, value) === 'true';
  }
}

const TRUE_OR_FALSE = { values: ['true', 'false'] } as const;

function integer(name: string, { minimum, maximum }: IntegerParam, value: string): number {
  const number = /^(?:0|[1-9]\d*)$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw refuse(errors.invalidInteger(name, value, minimum, maximum));
}

function choice(name: string, { values }: Pick<ChoiceParam, 'values'>, value: string): string | number {
  const chosen = values.find((allowed) => String(allowed) === value);
  if (chosen === undefined) throw refuse(errors.invalidChoice(name, value, values));
  return chosen;
}

/** A date in the years that records allow. */
const DATE = /^(?:19[7-9]|2\d\d)\d-\d\d-\d\d$/;

function date(name: string, value: string): string {
  if (!DATE.test(value)) throw refuse(errors.invalidDate(name, value));
  if (!isDay(value)) throw refuse(errors.noSuchDate(name, value));
  return value;
}

/** The elements of a list with commas between. None may be empty. */
function elements(name: string, value: string): readonly string[] {
  const all = value.split(',');
  if (all.includes('')) throw refuse(errors.emptyListElement(name, value));
  return all;
}

function engineList(name: string, value: string): readonly EngineId[] {
  const ids = elements(name, value);
  const unknown = ids.find((id) => !findEngine(id));
  if (unknown !== undefined) throw refuse(errors.unknownEngine(unknown));
  return inTableOrder(ids);
}

/** Checks that a window is given by `days`, by both `from` and `to`, or not at all. */
function requireRange({ days, from, to }: Values): void {
  if (from === undefined && to === undefined) return;
  if (days !== undefined) throw refuse(errors.daysWithRange(days as number));
  if (to === undefined) throw refuse(errors.halfRange('from', from as string, 'to'));
  if (from === undefined) throw refuse(errors.halfRange('to', to as string, 'from'));
  const [start, end] = [from as string, to as string];
  if (start > end) throw refuse(errors.reversedRange(start, end));
  const length = daysIn({ start, end });
  if (length > RANGE_DAYS_MAX) throw refuse(errors.rangeTooLong(start, end, length));
}
