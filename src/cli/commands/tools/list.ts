import { ReadCommand, type ReadFlags } from '../../base/read-command.js';
import { json, rowWriter } from '../../render/format.js';
import { print } from '../../render/output.js';
import { brandNote, listedTool, toolsView } from '../../views/tools.js';

export default class ToolsList extends ReadCommand {
  static override summary = 'The tools of the MCP endpoint, with their arguments';
  static override description =
    'What an agent gets to know of them is under --json. In the table, arguments in brackets may be left out.';
  static override examples = ['<%= config.bin %> tools list', '<%= config.bin %> tools list --json'];

  override async run(): Promise<void> {
    const flags = await this.readFlags<ReadFlags>();
    const format = this.formatOf(flags);
    const svc = this.connect(this.settle(flags));
    const answer = svc.tools.list({ signal: this.signal });
    const tools = await this.progress.during('Reading tools …', answer);
    if (format === 'json') return print(json({ tools }));
    const writer = rowWriter(format, toolsView, listedTool);
    const text = writer.add(tools);
    if (text !== '') await print(text);
    const isTable = format === 'table' || format === 'md';
    this.footnotes(format, [...writer.footnotes, ...(isTable ? brandNote(tools) : [])]);
  }
}
