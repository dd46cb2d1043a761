/** The requests that wait for one piece of work. */
import { setMaxListeners } from 'node:events';
import { ClientGoneError } from './errors.js';

/** A request that waits: its key, and the signal that its client has closed the connection. */
export interface Waiter {
  readonly keyId: string;
  readonly gone: AbortSignal;
}

/** The audience of a piece of work as the work sees it. It may grow while the work waits for its turn. */
export interface Audience {
  /** The keys of all who joined. */
  readonly keys: ReadonlySet<string>;
  /** Aborted when the last of them has left. */
  readonly gone: AbortSignal;
  /** Calls back when a further key joins, until `gone` or the returned function is called. */
  onJoin(listener: () => void): () => void;
}

/** The controller of a signal to which any number of works listen; Node warns of more than ten. */
export function createLeaving(): AbortController {
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  return leaving;
}

/** The signal of work that is finished even if its client leaves. */
export const NEVER_GONE = createLeaving().signal;

/** An audience that nobody joins. */
export const waitingAlone = ({ keyId, gone }: Waiter): Audience => ({
  keys: new Set([keyId]),
  gone,
  onJoin: () => () => undefined,
});

/** An audience that others join. */
export class SharedAudience implements Audience {
  readonly #keys = new Set<string>();
  readonly #gone = createLeaving();
  readonly #listeners = new Set<() => void>();
  #waiting = 0;

  get keys(): ReadonlySet<string> {
    return this.#keys;
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  onJoin(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Waits for the result with the others.
   * @throws ClientGoneError as soon as the client of this waiter has left.
   */
  async join<T>({ keyId, gone }: Waiter, result: Promise<T>): Promise<T> {
    this.#waiting++;
    if (!this.#keys.has(keyId)) {
      this.#keys.add(keyId);
      for (const listener of this.#listeners) listener();
    }
    let leave = (): void => undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(new ClientGoneError());
    });
    gone.addEventListener('abort', leave, { once: true });
    if (gone.aborted) leave();
    try {
      return await Promise.race([result, left]);
    } finally {
      gone.removeEventListener('abort', leave);
      if (--this.#waiting === 0) this.#gone.abort();
    }
  }
}
