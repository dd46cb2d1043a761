import type { Spinner } from 'yocto-spinner';
import { passingReason } from '../../contract/errors.js';
import { printable } from '../../contract/printable.js';
import { withoutStop } from '../../contract/wording.js';
import type { SvcError } from '../../sdk/errors.js';
import { duration } from '../render/view.js';

/** Shorter waits are not reported. */
export const NOTED_FROM_MS = 1000;

/**
 * `503 Database unavailable; next try in 28 s`.
 * @param wait Milliseconds until the request is sent again; rounded up to seconds. 0: it is being sent.
 * @param width Maximum columns; only the reason is shortened, never the time.
 */
export function waitText(
  { status, code, message }: SvcError,
  wait: number,
  width: number = Number.POSITIVE_INFINITY,
): string {
  // The message of a refusal may state another time, which can be shorter than the wait.
  const reason = `${status === null ? '' : `${status} `}${printable(passingReason(code) ?? withoutStop(message))}`;
  const next = wait > 0 ? `; next try in ${duration(Math.ceil(wait / 1000) * 1000)}` : '; trying again';
  const room = Math.max(0, width - next.length);
  return (reason.length > room ? `${reason.slice(0, Math.max(0, room - 1))}…` : reason) + next;
}

const PATIENCE_MS = 500;

/** A spinner on standard error for work of more than half a second, on a terminal and outside of CI. */
export class Progress {
  readonly #shown: boolean;
  #isActive = false;
  #text = '';
  #spinner: Spinner | undefined;

  /** @param wanted False under --json and --quiet. */
  constructor(wanted: boolean) {
    this.#shown = wanted && process.stderr.isTTY === true && !process.env.CI;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** Shows the spinner until the promise settles, then settles in the same way. */
  async during<T>(text: string, promise: PromiseLike<T>): Promise<T> {
    if (!this.#shown) return promise;
    this.#text = printable(text);
    this.#isActive = true;
    const timer = setTimeout(async () => {
      const { default: yoctoSpinner } = await import('yocto-spinner');
      // Ctrl-C aborts the request, whose promise then rejects here.
      if (this.#isActive) this.#spinner = yoctoSpinner({ text: this.#text, handleSignals: false }).start();
    }, PATIENCE_MS);
    try {
      return await promise;
    } finally {
      this.#isActive = false;
      clearTimeout(timer);
      this.#spinner?.stop();
      this.#spinner = undefined;
    }
  }

  update(text: string): void {
    this.#text = printable(text);
    if (this.#spinner) this.#spinner.text = this.#text;
  }
}
