import { CommandError } from '../command-error.js';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Signals of a user or a supervisor: the first ends the reading, the second everything. */
export class Interruption {
  readonly #reading = new AbortController();
  readonly #sending = new AbortController();
  readonly #receive = () => {
    if (!this.#reading.signal.aborted) this.#reading.abort();
    else this.#sending.abort(new CommandError('interrupted', 'Interrupted before all was delivered.'));
  };
  readonly #ignore = () => {};

  /** Aborted: read no more, but deliver what was read. */
  get reading(): AbortSignal {
    return this.#reading.signal;
  }

  /** Aborted: give up. */
  get sending(): AbortSignal {
    return this.#sending.signal;
  }

  /** @param isFollowing Files are looked up by name all the time, so SIGHUP has nothing to do and must not end it. */
  listen(isFollowing: boolean): void {
    for (const name of signals) process.on(name, this.#receive);
    if (isFollowing) process.on('SIGHUP', this.#ignore);
  }

  /** Ends the reading without a signal. */
  stopReading(): void {
    this.#reading.abort();
  }

  release(): void {
    for (const name of signals) process.off(name, this.#receive);
    process.off('SIGHUP', this.#ignore);
  }
}
