import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../../contract/printable.js';
import { currentTime } from '../clock.js';
import { CommandError } from '../command-error.js';
import { commandErrorOf } from '../failure/diagnosis.js';
import { print, widthOf } from '../render/terminal.js';
import { WATCH_SECONDS } from './flags.js';

/** @throws CommandError `usage` for a number outside of the limits. */
export function intervalMs(text: string): number {
  const seconds = text.trim() === '' ? Number.NaN : Number(text);
  const { least, most } = WATCH_SECONDS;
  if (seconds >= least && seconds <= most) return seconds * 1000;
  throw new CommandError('usage', `--watch ${text}: it takes seconds from ${least} to ${most}.`, {
    hint: 'As in: svc overview --watch 30',
  });
}

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
    const drawn = this.#height(lines) <= most ? lines : this.#cut(lines, most);
    const back = this.#lines === 0 ? '' : `${ESCAPE}${this.#lines}F`;
    this.#lines = this.#height(drawn);
    return `${back}${ESCAPE}0J${drawn.join('\n')}\n`;
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

interface Watching {
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /** Reads once. @returns The whole output, with its notes. */
  readonly read: () => Promise<string>;
  /** Waits until the next read; tests replace it. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Reads again and again until the signal, which is the normal end. On a terminal each output replaces the one before; in a
 * pipe it is printed if it differs. A failure that may pass is shown, in a pipe on standard error, and the next read follows.
 * @throws CommandError of the first read, and of a failure that lasts.
 */
export async function watch({ everyMs, signal, read, wait = pause }: Watching): Promise<void> {
  const screen = process.stdout.isTTY ? new Screen(process.stdout) : undefined;
  const each = `every ${everyMs / 1000} s, Ctrl-C stops`;
  let printed: string | undefined;
  while (!signal.aborted) {
    const now = await attempt(read, printed !== undefined, signal);
    if (now === undefined) return;
    const { text = printed ?? '', failure } = now;
    const state = failure === undefined ? `read ${clock()} UTC` : `${clock()} UTC: ${failure}`;
    if (screen) await print(screen.frame(`${text}\n${state} · ${each}`));
    else if (failure !== undefined) process.stderr.write(`${printable(state)}\n`);
    else if (text !== printed) await print(text);
    printed = text;
    await wait(everyMs, signal);
  }
}

interface Attempt {
  readonly text?: string;
  readonly failure?: string;
}

/** @returns Undefined: the signal ended the read. */
async function attempt(
  read: () => Promise<string>,
  isLater: boolean,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  try {
    return { text: await read() };
  } catch (error) {
    if (signal.aborted) return undefined;
    const failure = error instanceof CommandError ? error : commandErrorOf(error);
    if (!isLater || !failure.retryable) throw error;
    return { failure: failure.message };
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => {});

const clock = (): string => currentTime().toISOString().slice(11, 19);
