import { CommandError } from '../command-error.js';

const names = ['SIGINT', 'SIGTERM'] as const;

/** Handles signals of a user or a supervisor: the first one ends the reading, the second one everything. */
export class Signals {
  readonly #reading = new AbortController();
  readonly #sending = new AbortController();
  readonly #onStop: (name: NodeJS.Signals) => void;
  readonly #receive = (name: NodeJS.Signals) => {
    if (!this.#isStopped) {
      this.#isStopped = true;
      this.#reading.abort();
      this.#onStop(name);
    } else this.#sending.abort(new CommandError('interrupted', 'Interrupted before all was delivered.'));
  };
  readonly #ignore = () => {};
  #isStopped = false;

  /** @param onStop Called at the first signal. */
  constructor(onStop: (name: NodeJS.Signals) => void) {
    this.#onStop = onStop;
  }

  /** Aborted: stop reading, but send what was read. */
  get reading(): AbortSignal {
    return this.#reading.signal;
  }

  /** Aborted: stop sending too. */
  get sending(): AbortSignal {
    return this.#sending.signal;
  }

  /** Whether a signal was received. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** @param isFollowing If true, SIGHUP is ignored: files are reopened by name, so it must not end the process. */
  listen(isFollowing: boolean): void {
    for (const name of names) process.on(name, this.#receive);
    if (isFollowing) process.on('SIGHUP', this.#ignore);
  }

  /** Ends the reading without a signal. */
  stopReading(): void {
    this.#reading.abort();
  }

  release(): void {
    for (const name of names) process.off(name, this.#receive);
    process.off('SIGHUP', this.#ignore);
  }
}
