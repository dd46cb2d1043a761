import type { Spinner } from 'yocto-spinner';
import { printable } from '../render/printable.js';

/** Shorter waits show nothing. */
const PATIENCE_MS = 500;

/** A spinner on standard error while something takes longer than half a second, on a terminal and not in CI. */
export class Progress {
  readonly #shown: boolean;
  #isActive = false;
  #text = '';
  #spinner: Spinner | undefined;

  /** @param wanted False under --json and --quiet. */
  constructor(wanted: boolean) {
    this.#shown = wanted && process.stderr.isTTY === true && !process.env.CI;
  }

  /** Whether a terminal shows what is being waited for. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /** Settles as the promise does, with the spinner gone. */
  async during<T>(text: string, promise: PromiseLike<T>): Promise<T> {
    if (!this.#shown) return promise;
    this.#text = printable(text);
    this.#isActive = true;
    const timer = setTimeout(async () => {
      const { default: yoctoSpinner } = await import('yocto-spinner');
      // Ctrl-C ends the request, which then comes back here.
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

  /** Says what is being waited for from now on. */
  says(text: string): void {
    this.#text = printable(text);
    if (this.#spinner) this.#spinner.text = this.#text;
  }
}
