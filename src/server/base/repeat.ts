/** Work that a server repeats until it stops. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from './errors.js';

export interface Repeated {
  /** Begins no further round, and waits for the current one, whose signal is aborted. */
  stop(): Promise<void>;
}

export interface Repetition {
  /** The pause after each round. It does not keep the process running. */
  readonly everyMs: number;
  readonly log: { readonly [level in 'debug' | 'error']: (fields: object, message: string) => void };
  /** The subject of the log line of a failure. */
  readonly name: string;
}

/** Runs `work` at once, and again after each pause. A failure is logged, and the next round tries again. */
export function repeat(
  { everyMs, log, name }: Repetition,
  work: (stopping: AbortSignal) => Promise<void>,
): Repeated {
  const stopping = new AbortController();
  const { signal } = stopping;
  const rounds = async (): Promise<void> => {
    do {
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted) logFailure(log, name, error);
      });
      await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    } while (!signal.aborted);
  };
  const running = rounds();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Logs a failure of work that is tried again. While the database is unavailable, every attempt fails. */
export function logFailure(log: Repetition['log'], name: string, error: unknown): void {
  if (isDatabaseUnavailable(error)) log.debug({ err: error }, `${name}: waiting for the database`);
  else log.error({ err: error }, `${name} failed`);
}
