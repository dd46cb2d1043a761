import type { Spinner } from 'yocto-spinner';
import { printable } from '../../contract/printable.js';

/** The delay of the spinner, in milliseconds. */
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

  /** Whether the spinner is active. */
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

  /** Replaces the text of the spinner. */
  update(text: string): void {
    this.#text = printable(text);
    if (this.#spinner) this.#spinner.text = this.#text;
  }
}
