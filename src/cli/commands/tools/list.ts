import { object, text as textField } from '../../../contract/schema.js';
import { BRAND_ARGUMENT } from '../../../contract/tools.js';
import type { ToolDescription } from '../../../sdk/tools.js';
import { ApiCommand } from '../../base/api-command.js';
import { formatFlag } from '../../base/flags.js';
import { formatOf, printNotes } from '../../base/read.js';
import { json, rowWriter } from '../../render/format.js';
import { picked } from '../../render/picked.js';
import { print } from '../../render/terminal.js';
import { type TableView, text } from '../../render/view.js';

export default class ToolsList extends ApiCommand {
  static override summary = 'The tools of the MCP endpoint, with their arguments';
  static override description =
    'Arguments in brackets are optional. --json prints the descriptions that agents get.';
  static override examples = ['<%= config.bin %> tools list', '<%= config.bin %> tools list --json'];

  static override flags = formatFlag;

  override async run(): Promise<void> {
    const { flags } = await this.parse(ToolsList);
    const format = formatOf(flags);
    const svc = this.connect(this.settle(flags));
    const request = svc.tools.list({ signal: this.signal });
    const tools = await this.progress.during('Reading tools …', request);
    if (format === 'json') return print(json({ tools }));
    const writer = rowWriter(format, toolsView, picked(listedTool));
    const text = writer.add(tools);
    if (text !== '') await print(text);
    const isTable = format === 'table' || format === 'md';
    printNotes(this, format, [...writer.footnotes, ...(isTable ? brandNote(tools) : [])]);
  }
}

/** A tool in the formats for programs; the schema of its arguments and the hints are JSON. */
const listedTool = object({
  name: textField('What it is called by'),
  title: textField('Its name as people read it'),
  description: textField('What an agent must know of it'),
  inputSchema: textField('JSON Schema of its arguments'),
  annotations: textField('Hints for clients that ask their user before a call'),
});

const toolsView: TableView<ToolDescription> = {
  noun: 'tools',
  columns: [
    // Never shortened, because it is the argument of `svc tools call`.
    text('tool', (row) => row.name),
    text('what it does', (row) => firstSentence(row.description), { room: 'flexible' }),
    text('arguments', argumentsOf, { room: 'flexible' }),
  ],
};

/** A question with its mark; another sentence without its full stop. */
const firstSentence = (description = ''): string =>
  /^.*?(?:\?(?=\s|$)|(?=\.(?:\s|$)|$))/s.exec(description)![0];

const namesOf = ({ inputSchema }: ToolDescription): string[] => Object.keys(inputSchema.properties ?? {});

/** The required arguments, then the optional ones in brackets, without `brand`, which nearly every tool has. */
function argumentsOf(tool: ToolDescription): string {
  const { required = [] } = tool.inputSchema as { required?: readonly string[] };
  const optional = namesOf(tool).filter((name) => !required.includes(name) && name !== BRAND_ARGUMENT);
  return [...required, ...(optional.length > 0 ? [`[${optional.join(' ')}]`] : [])].join(' ');
}

/** A note about the argument `brand`, which is not in the table. */
function brandNote(tools: readonly ToolDescription[]): string[] {
  const without = tools.filter((tool) => !namesOf(tool).includes(BRAND_ARGUMENT)).map(({ name }) => name);
  if (without.length === tools.length) return [];
  const exception = without.length === 0 ? '' : ` but ${without.join(', ')}`;
  return [`Every tool${exception} also takes ${BRAND_ARGUMENT}.`];
}
