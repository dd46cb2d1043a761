import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../../../contract/printable.js';
import { CommandError } from '../../failure/command-error.js';
import { commandErrorOf } from '../../failure/diagnosis.js';
import { print } from '../../render/output.js';
import { Screen } from './screen.js';

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
  let shown: string | undefined;
  while (!signal.aborted) {
    const now = await attempt(read, shown !== undefined, signal);
    if (now === undefined) return;
    const { text = shown ?? '', failure } = now;
    const state = failure === undefined ? `read ${clock()} UTC` : `${clock()} UTC: ${failure}`;
    if (screen) await print(screen.frame(`${text}\n${state} · ${each}`));
    else if (failure !== undefined) process.stderr.write(`${printable(state)}\n`);
    else if (text !== shown) await print(text);
    shown = text;
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

const clock = (): string => new Date().toISOString().slice(11, 19);
