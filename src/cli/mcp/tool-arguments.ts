import type { Param, Params } from '../../contract/params.js';
import { type ToolName, toolArguments, tools } from '../../contract/tools.js';
import { CommandError } from '../failure/command-error.js';

type Value = string | number | boolean;

/**
 * Parses the arguments of a call from texts like `days=28`. A value of the wrong type is sent unchanged, because the
 * server's error message explains it.
 * @throws CommandError `usage` for a text without a name, and for a name given twice.
 */
export function argumentsFrom(tool: string, given: readonly string[]): Record<string, Value> {
  const params = paramsOf(tool);
  const values = new Map<string, Value>();
  for (const each of given) {
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(each) ?? [];
    if (name === undefined || text === undefined) throw malformed(each);
    if (values.has(name)) {
      const advice = 'Give it once; separate several engines by commas in one value.';
      throw new CommandError('usage', `The argument ${name} was given twice. ${advice}`);
    }
    values.set(name, valueFrom(text, params && Object.hasOwn(params, name) ? params[name] : undefined));
  }
  return Object.fromEntries(values);
}

const malformed = (given: string): CommandError =>
  new CommandError('usage', `Invalid --arg: ${given || '(empty)'}. Give NAME=VALUE, as --arg days=28.`);

const paramsOf = (tool: string): Params | undefined =>
  Object.hasOwn(tools, tool) ? toolArguments(tools[tool as ToolName].params) : undefined;

/** An argument that this version does not know gets its type from its text. */
function valueFrom(text: string, param: Param | undefined): Value {
  if ((param === undefined || isNumeric(param)) && numeral.test(text)) return Number(text);
  if ((param === undefined || param.kind === 'boolean') && truths.has(text)) return text === 'true';
  return text;
}

const isNumeric = (param: Param): boolean =>
  param.kind === 'integer' || (param.kind === 'choice' && typeof param.values[0] === 'number');

/** A JSON number. A longer one would lose digits and is sent as text. */
const numeral = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const truths: ReadonlySet<string> = new Set(['true', 'false']);
