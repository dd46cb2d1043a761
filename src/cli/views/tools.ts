import { object, text } from '../../contract/schema.js';
import { BRAND_ARGUMENT } from '../../contract/tools.js';
import type { ToolDescription } from '../../sdk/tools.js';
import { type TableView, words } from '../render/view.js';

/** A listed tool in the formats for programs; the schema of its arguments and the hints are JSON there. */
export const listedTool = object({
  name: text('What it is called by'),
  title: text('Its name as people read it'),
  description: text('What an agent must know of it'),
  inputSchema: text('JSON Schema of its arguments'),
  annotations: text('Hints for clients that ask their user before a call'),
});

export const toolsView: TableView<ToolDescription> = {
  noun: 'tools',
  columns: [
    // Whole, because it is what is called.
    words('tool', (row) => row.name),
    words('what it does', (row) => firstSentence(row.description), { room: 'flexible' }),
    words('arguments', argumentsOf, { room: 'flexible' }),
  ],
};

const firstSentence = (description = ''): string => /^.*?(?=\.(?:\s|$)|$)/s.exec(description)![0];

const namesOf = ({ inputSchema }: ToolDescription): string[] => Object.keys(inputSchema.properties ?? {});

/** Those that must be given, then the others in brackets; not the one that nearly every tool has. */
function argumentsOf(tool: ToolDescription): string {
  const { required = [] } = tool.inputSchema as { required?: readonly string[] };
  const optional = namesOf(tool).filter((name) => !required.includes(name) && name !== BRAND_ARGUMENT);
  return [...required, ...(optional.length > 0 ? [`[${optional.join(' ')}]`] : [])].join(' ');
}

/** Words about the argument that is not in the table. */
export function brandNote(tools: readonly ToolDescription[]): string[] {
  const without = tools.filter((tool) => !namesOf(tool).includes(BRAND_ARGUMENT)).map(({ name }) => name);
  if (without.length === tools.length) return [];
  const exception = without.length === 0 ? '' : ` but ${without.join(', ')}`;
  return [`Every tool${exception} also takes ${BRAND_ARGUMENT}.`];
}
