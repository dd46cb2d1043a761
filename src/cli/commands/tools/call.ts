import { Args } from '@oclif/core';
import { string } from '@oclif/core/flags';
import { rpcErrors } from '../../../contract/mcp.js';
import type { Param, Params } from '../../../contract/params.js';
import { BRAND_ARGUMENT, type ToolName, toolArguments, toolNames, tools } from '../../../contract/tools.js';
import type { ToolArgumentsOf } from '../../../sdk/arguments.js';
import { ToolError } from '../../../sdk/errors.js';
import { ApiCommand } from '../../base/api-command.js';
import { CommandError } from '../../command-error.js';
import { json } from '../../render/format.js';
import { print } from '../../render/terminal.js';
import { suggestion } from '../../suggestion.js';

export default class ToolsCall extends ApiCommand {
  static override summary = 'Call a tool of the MCP endpoint and print its payload as JSON';
  static override description =
    'Tools and arguments that this version does not know are sent anyway: as numbers, true or false where they ' +
    'look like it, else as text.';
  static override examples = [
    '<%= config.bin %> tools call list_fanouts',
    '<%= config.bin %> tools call get_metrics_history --arg metric=visibility --arg days=28',
  ];
  static override args = {
    tool: Args.string({
      description: 'Name of the tool',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    arg: string({
      description: 'An argument of the tool',
      helpValue: 'NAME=VALUE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    brand: string({ description: `Brand id, the tool's ${BRAND_ARGUMENT}`, helpValue: 'ID' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ToolsCall);
    const { tool } = args;
    const toolArgs = argumentsFrom(tool, flags.arg ?? []);
    const svc = this.connect(this.settle(flags));
    // The types contain the tools of this version; the server may have more.
    const answer = svc.tools.call(tool as ToolName, toolArgs as ToolArgumentsOf<ToolName>, {
      signal: this.signal,
    });
    await print(json(await this.progress.during(`Calling ${tool} …`, answer.catch(explained))));
  }
}

/** Turns the error for an unknown tool into a usage error with a suggestion. */
function explained(error: unknown): never {
  const { code, message } = rpcErrors.unknownTool(error instanceof ToolError ? (error.tool ?? '') : '');
  // The call names a tool, so no other error of the protocol has this code.
  if (!(error instanceof ToolError) || error.code !== code) throw error;
  const near = suggestion(error.tool ?? '', toolNames);
  throw new CommandError('usage', `${message}.${near}`, {
    status: error.status,
    hint: '`svc tools list` lists the tools.',
  });
}

type Value = string | number | boolean;

/**
 * Parses the arguments of a call from texts like `days=28`. A value of the wrong type is sent unchanged, because the
 * server's error message explains it.
 * @throws CommandError `usage` for a text without a name, and for a name given twice.
 */
export function argumentsFrom(tool: string, texts: readonly string[]): Record<string, Value> {
  const params = paramsOf(tool);
  const values = new Map<string, Value>();
  for (const each of texts) {
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

const malformed = (text: string): CommandError =>
  new CommandError('usage', `Invalid --arg: ${text || '(empty)'}. Give NAME=VALUE, as --arg days=28.`);

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
