import { widthOf } from '../../render/width.js';

const ESCAPE = '\u001b[';
/** SGR codes and OSC 8 links, which take no room. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with a control character.
const CODES = /\u001b\[[\d;]*m|\u001b\]8;;[^\u0007]*\u0007/g;

/** Draws texts over each other at the place of the cursor. */
export class Screen {
  readonly #stream: { readonly rows?: number; readonly columns?: number };
  #lines = 0;

  constructor(stream: { readonly rows?: number; readonly columns?: number }) {
    this.#stream = stream;
  }

  /** What to write so that the text replaces the one before. A text higher than the terminal is cut, with a note. */
  frame(text: string): string {
    const { rows = 24 } = this.#stream;
    const lines = text.trimEnd().split('\n');
    // The cursor is below the last line, so one line of the terminal stays empty.
    const most = Math.max(2, rows - 1);
    const shown = this.#height(lines) <= most ? lines : this.#cut(lines, most);
    const back = this.#lines === 0 ? '' : `${ESCAPE}${this.#lines}F`;
    this.#lines = this.#height(shown);
    return `${back}${ESCAPE}0J${shown.join('\n')}\n`;
  }

  /** The first lines that fit, and the last one, which states when the text was read. */
  #cut(lines: readonly string[], most: number): string[] {
    const last = lines.at(-1)!;
    const kept: string[] = [];
    const hidden = () => `… ${lines.length - kept.length - 1} more lines in a higher terminal`;
    for (const line of lines) {
      if (this.#height([...kept, line, hidden(), last]) > most) break;
      kept.push(line);
    }
    return [...kept, hidden(), last];
  }

  /** Terminal lines: a line wider than the terminal takes several. */
  #height(lines: readonly string[]): number {
    const { columns = 80 } = this.#stream;
    const heightOf = (line: string) => Math.max(1, Math.ceil(widthOf(line.replace(CODES, '')) / columns));
    return lines.reduce((sum, line) => sum + heightOf(line), 0);
  }
}
