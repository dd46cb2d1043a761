/** Reads delimited text: CSV as RFC 4180 has it, also with semicolons or tabs, as spreadsheets of many countries write it. */

export interface Row {
  /** The line on which it begins, 1-based. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text of a file of a spreadsheet: UTF-8, or UTF-16 with a mark. Null: it is neither. */
export function decoded(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? null : text;
  } catch {
    return null;
  }
}

/** The separator that the first line has most often outside quotes; null: none. */
export function separatorOf(text: string): string | null {
  const [line = ''] = text.split(/\r?\n|\r/, 1);
  const bare = line.replace(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t'].map((each) => ({ each, count: bare.split(each).length - 1 }));
  const most = counts.reduce((best, next) => (next.count > best.count ? next : best));
  return most.count === 0 ? null : most.each;
}

/** The rows that are not blank. A quote inside of a cell that does not begin with one is a character. */
export function rowsOf(text: string, separator: string): Row[] {
  const rows: Row[] = [];
  let [line, begin] = [1, 1];
  let cells: string[] = [];
  let [cell, isQuoted, wasQuoted] = ['', false, false];
  const endCell = () => {
    cells.push(wasQuoted ? cell : cell.trim());
    [cell, wasQuoted] = ['', false];
  };
  const endRow = () => {
    endCell();
    if (cells.some((each) => each.trim() !== '')) rows.push({ line: begin, cells });
    cells = [];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const isBreak = character === '\n' || (character === '\r' && text[at + 1] !== '\n');
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (character === '"' && cell.trim() === '' && !wasQuoted)
      [cell, isQuoted, wasQuoted] = ['', true, true];
    else if (character === separator) endCell();
    else if (isBreak) endRow();
    else if (character !== '\r' && !(wasQuoted && /\s/.test(character))) cell += character;
    if (isBreak) line++;
    if (isBreak && !isQuoted) begin = line;
  }
  endRow();
  return rows;
}
