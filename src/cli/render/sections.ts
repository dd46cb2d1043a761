/** Sections and lists of a help, drawn as oclif draws those of commands. */
import { styled, takesColour } from './colour.js';
import { filled } from './width.js';

export type Row = readonly [name: string, description: string];

/** Columns before each line of a section. */
export const INDENT = 2;
/** A row with more lines is too narrow to read. */
const MOST_LINES = 5;

/** A heading with indented lines. */
export const section = (title: string, lines: readonly string[]): string =>
  [heading(title), ...lines.map((line) => (line === '' ? '' : ' '.repeat(INDENT) + line))].join('\n');

/** oclif draws bold headings only if both streams take colours. */
const heading = (title: string): string =>
  takesColour(process.stderr) ? styled(['bold'], title, process.stdout) : title;

/** Two columns, or names above their descriptions where the second column would be too narrow. */
export function list(rows: readonly Row[], width: number): string[] {
  const first = Math.max(...rows.map(([name]) => name.length)) + 2;
  const drawn = rows.map(([name, does]) => [name, filled(does, width - INDENT - first)] as const);
  if (drawn.some(([, lines]) => lines.length > MOST_LINES))
    return rows.flatMap(([name, does], at) => [
      ...(at === 0 ? [] : ['']),
      ...filled(name, width - INDENT),
      ...(does === '' ? [] : filled(does, width - 2 * INDENT)).map((line) => ' '.repeat(2 * INDENT) + line),
    ]);
  return drawn.flatMap(([name, [line = '', ...more]]) => [
    (name.padEnd(first) + line).trimEnd(),
    ...more.map((each) => ' '.repeat(first) + each),
  ]);
}
