import { Args } from '@oclif/core';
import { string } from '@oclif/core/flags';
import { rpcErrors } from '../../../contract/mcp.js';
import { BRAND_ARGUMENT, type ToolName, toolNames } from '../../../contract/tools.js';
import { ToolError } from '../../../sdk/errors.js';
import { ApiCommand } from '../../base/api-command.js';
import { CommandError } from '../../failure/command-error.js';
import { suggestion } from '../../failure/suggestion.js';
import { argumentsFrom } from '../../mcp/tool-arguments.js';
import { json } from '../../render/format.js';
import { print } from '../../render/output.js';

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
    const given = argumentsFrom(tool, flags.arg ?? []);
    const svc = this.connect(this.settle(flags));
    // The types contain the tools of this version; the server may have more.
    const answer = svc.tools.call(tool as ToolName & 'list_brands', given as never, { signal: this.signal });
    await print(json(await this.progress.during(`Calling ${tool} …`, answer.catch(explained))));
  }
}

/** Turns the error for an unknown tool into a usage error with a suggestion. */
function explained(error: unknown): never {
  const { code, message } = rpcErrors.unknownTool(error instanceof ToolError ? (error.tool ?? '') : '');
  if (!(error instanceof ToolError) || error.code !== code || error.message !== message) throw error;
  const near = suggestion(error.tool ?? '', toolNames);
  throw new CommandError('usage', `${message}.${near}`, {
    status: error.status,
    hint: '`svc tools list` lists the tools.',
  });
}
