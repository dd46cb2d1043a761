import { styleText } from 'node:util';
import CliTable from 'cli-table3';
import { CommandError } from '../command-error.js';

/** The reader of standard output closed it, as `head` does. The command ends without a failure. */
export class OutputClosed extends Error {
  constructor() {
    super('Standard output was closed.');
    this.name = 'OutputClosed';
  }
}

/** Standard output cannot be written, for example because the disk is full. */
export class OutputFailed extends CommandError {
  constructor({ code, message }: NodeJS.ErrnoException) {
    super('unexpected', `Standard output cannot be written: ${reasons[code ?? ''] ?? message}.`);
  }
}

/** The error for a failed write to standard output: closed by its reader, or not writable. */
export const outputError = (error: NodeJS.ErrnoException): OutputClosed | OutputFailed =>
  error.code === 'EPIPE' ? new OutputClosed() : new OutputFailed(error);

const reasons: { readonly [code: string]: string } = {
  ENOSPC: 'no space left on the device (ENOSPC)',
  EDQUOT: 'the disk quota is exceeded (EDQUOT)',
  EFBIG: 'the file would be too large (EFBIG)',
  EIO: 'input/output error (EIO)',
};

/**
 * Writes to standard output and waits until it is written.
 * @throws OutputClosed when the reader closed it. oclif ignores EPIPE, so the command must end by this error.
 * @throws OutputFailed when it cannot be written.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, 'utf8', (error) => {
      if (error) reject(outputError(error));
      else resolve();
    });
  });
}

/** The columns of the terminal on standard output, or the value of COLUMNS; undefined: no limit. */
export function outputWidth(): number | undefined {
  const stated = Number(process.env.COLUMNS);
  return process.stdout.columns || (Number.isInteger(stated) && stated > 0 ? stated : undefined);
}

export type Format =
  | ('bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'magenta' | 'blue')
  | ('yellowBright' | 'magentaBright' | 'greenBright');

/**
 * Whether a stream gets colours: on a terminal, unless NO_COLOR is set or the terminal is dumb. FORCE_COLOR overrides both, as
 * in Node: 0 and false mean no, any other value means yes.
 */
export function takesColour(stream: NodeJS.WriteStream): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env;
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR);
  return stream.isTTY === true && !NO_COLOR && TERM !== 'dumb';
}

/** The text in colour if the stream gets colours, else unchanged. */
export function styled(formats: readonly Format[], text: string, stream: NodeJS.WriteStream): string {
  return takesColour(stream) ? styleText([...formats], text, { validateStream: false }) : text;
}

/** The text as `styled` returns it, and bold where a terminal gets no colours because NO_COLOR is set: weight is no colour. */
export function emphasised(formats: readonly Format[], text: string, stream: NodeJS.WriteStream): string {
  const { FORCE_COLOR, TERM } = process.env;
  const isBold = stream.isTTY === true && FORCE_COLOR === undefined && TERM !== 'dumb';
  if (takesColour(stream) || !isBold) return styled(formats, text, stream);
  return formats.includes('bold') ? styleText('bold', text, { validateStream: false }) : text;
}

/** Terminals that show OSC 8 links, by the variables that they set. */
const programs = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby'];
const terminals = ['xterm-kitty', 'xterm-ghostty', 'alacritty', 'foot'];
/** The first VTE (GNOME Terminal, Tilix and others) with links is 0.50. */
const VTE_WITH_LINKS = 5000;

function showsLinks(): boolean {
  const { env, stdout } = process;
  if (!stdout.isTTY || env.TERM === 'dumb') return false;
  return (
    programs.includes(env.TERM_PROGRAM ?? '') ||
    terminals.includes(env.TERM ?? '') ||
    Number(env.VTE_VERSION) >= VTE_WITH_LINKS ||
    env.WT_SESSION !== undefined ||
    env.KONSOLE_VERSION !== undefined
  );
}

/** The normalized address; undefined unless it is HTTP or HTTPS, because other schemes may run code. */
export function webAddress(address: string | null | undefined): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

/** The address for a link; undefined if the terminal shows no links or the address is not HTTP or HTTPS. */
export const linkable = (address: string | null | undefined): string | undefined =>
  showsLinks() ? webAddress(address) : undefined;

/** The text as an OSC 8 link. @param address A result of `linkable`, so without control characters. */
export const hyperlink = (address: string, text: string): string =>
  `\u001b]8;;${address}\u0007${text}\u001b]8;;\u0007`;

/**
 * A text as lines of at most `width` columns, broken between words; a longer word gets its own line.
 * @param widthOf The columns of a word; if omitted, every character takes one, as in our own English texts.
 */
export function filled(
  text: string,
  width: number,
  widthOf: (word: string) => number = (word) => word.length,
): string[] {
  const lines: string[] = [];
  let left = 0;
  for (const word of text.split(' ')) {
    const taken = widthOf(word);
    if (lines.length > 0 && taken < left) {
      lines[lines.length - 1] += ` ${word}`;
      left -= taken + 1;
    } else {
      lines.push(word);
      left = width - taken;
    }
  }
  return lines;
}

/**
 * A text as lines of at most `width` columns, broken between words; a longer word gets its own line.
 * @param width Undefined or 0: one line.
 */
export const wrapped = (text: string, width: number | undefined): string[] =>
  width ? filled(text, width, knownWidth) : [text];

/** A text as lines of at most `width` columns. Longer words are broken too, so that no line is wider. */
export const fitted = (text: string, width: number | undefined): string[] =>
  width ? wrapped(text, width).flatMap((line) => chunksOfWidth(line, width)) : [text];

/** Letters and punctuation of Latin scripts and the blocks of sparklines, all one column wide. */
const latin = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2581-\u2588]*$/;

/** Letters of other scripts that never join with the next one: one column wide, and two. */
const NARROW = String.raw`\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u0400-\u0481\u048a-\u052f\u05d0-\u05ea\u0621-\u063a\u0641-\u064a`;
const WIDE = String.raw`\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60`;
const simple = new RegExp(`^[${NARROW}${WIDE}]*$`);
const wide = new RegExp(`[${WIDE}]`, 'g');

/**
 * Terminal columns of a text without line feeds. cli-table3 measures other scripts: it supports them, but is slow, and its time
 * grows with the square of the length.
 */
export function widthOf(text: string): number {
  if (latin.test(text)) return text.length;
  if (simple.test(text)) return text.length + (text.match(wide)?.length ?? 0);
  if (text.length > KEPT_LENGTH) {
    const letters = lettersOf(text);
    if (letters.length > 1) return letters.reduce((sum, letter) => sum + knownWidth(letter), 0);
  }
  const table = new CliTable({ style: { 'padding-left': 0, 'padding-right': 0 } });
  table.push([text]);
  table.toString();
  return table.options.colWidths[0] ?? 0;
}

/** Made when the first text needs it, because that takes longer than drawing a table. */
let segmenter: Intl.Segmenter | undefined;
const knownWidths = new Map<string, number>();
/** Longer words repeat too rarely to be kept. */
const KEPT_LENGTH = 40;

/** The columns of a letter or a word, measured once. */
function knownWidth(word: string): number {
  const width = knownWidths.get(word) ?? widthOf(word);
  if (word.length <= KEPT_LENGTH) knownWidths.set(word, width);
  return width;
}

/** Characters that are segmented at once: the time of a segmenter grows with the square of their number. */
const SEGMENTED = 256;

function lettersOf(text: string): string[] {
  if (latin.test(text) || simple.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter();
  const letters: string[] = [];
  for (let at = 0; at < text.length; ) {
    const part = Array.from(segmenter.segment(text.slice(at, at + SEGMENTED)), ({ segment }) => segment);
    // The last letter may go on behind the part.
    const whole = part.length > 1 && at + SEGMENTED < text.length ? part.slice(0, -1) : part;
    letters.push(...whole);
    for (const letter of whole) at += letter.length;
  }
  return letters;
}

/** The text in chunks of at most `width` columns; a wider letter gets its own chunk. */
function chunksOfWidth(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const cut: string[] = [];
  let chunk = '';
  let left = width;
  for (const letter of lettersOf(text)) {
    const taken = knownWidth(letter);
    if (chunk !== '' && taken > left) {
      cut.push(chunk);
      chunk = '';
      left = width;
    }
    chunk += letter;
    left -= taken;
  }
  return [...cut, chunk];
}

/** The text in at most `width` columns; a shortened text ends with `…`. */
export function shortened(text: string, width: number): string {
  if (text.length <= width / 2 || widthOf(text) <= width) return text;
  return latin.test(text)
    ? `${text.slice(0, width - 1)}…`
    : `${chunksOfWidth(text.slice(0, 4 * width), width - 1)[0]}…`;
}
