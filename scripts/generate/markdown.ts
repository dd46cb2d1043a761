/** Generated parts of Markdown documents. */

const BLOCK = /(<!-- generated: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g;

/**
 * The text with the parts between its markers made anew.
 * @param file Its name, for errors.
 * @throws If the text has no marker for a block, or a marker without a block.
 */
export function withBlocks(file: string, text: string, blocks: ReadonlyMap<string, string>): string {
  const left = new Set(blocks.keys());
  const made = text.replaceAll(BLOCK, (_, begin: string, name: string, end: string) => {
    const block = blocks.get(name);
    if (block === undefined) throw new Error(`${file}: nothing is generated for ${name}.`);
    left.delete(name);
    return `${begin}\n${block}\n\n${end}`;
  });
  const [missing] = left;
  if (missing === undefined) return made;
  throw new Error(`${file}: add <!-- generated: ${missing} --> and <!-- end --> where its tables belong.`);
}

/** A table; a bar in a cell would end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

export const code = (text: string | number): string => `\`${text}\``;
