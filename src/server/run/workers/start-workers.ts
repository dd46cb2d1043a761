/** Starts the workers of a server, and starts one again that ended or hangs. The primary process does nothing else for requests. */

import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { ExpectedError } from '../../../contract/failure.js';
import type { Logger } from '../../base/log.js';

/** A worker that ran for this long counts as sound. */
const SOUND_AFTER_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;

/** How often in a row the worker has ended soon after its start, now that it has ended after `ranMs`. */
export const failuresAfter = (failures: number, ranMs: number): number =>
  ranMs >= SOUND_AFTER_MS ? 1 : failures + 1;

/** Doubles from 100 ms up to 30 s. */
export const pauseAfter = (failures: number): number =>
  Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));

/** Sent by a worker when it accepts requests. */
export interface Started {
  readonly url: string;
}

/** Sent by a worker again and again while its event loop runs. */
interface Sign {
  readonly alive: true;
}

/** Begins to send signs of life. They do not keep the worker running, and end with it. */
export function sendSigns(everyMs: number): void {
  const send = () => {
    // Without a callback a channel that is just closed would be an error.
    if (process.connected) process.send!({ alive: true } satisfies Sign, undefined, undefined, () => {});
  };
  send();
  setInterval(send, everyMs).unref();
}

interface WorkerIdentity {
  /** From 1. A worker that is started again keeps the number. */
  readonly number: number;
  readonly port: number;
}

const workerEnvironment = (number: number, port: number): Record<string, string> => ({
  SVC_WORKER: String(number),
  SVC_WORKER_PORT: String(port),
});

/** The number and the port of this worker, from its environment. */
export const workerIdentity = (env: NodeJS.ProcessEnv = process.env): WorkerIdentity => ({
  number: Number(env.SVC_WORKER),
  port: Number(env.SVC_WORKER_PORT),
});

interface WatchTimes {
  /** How often a worker sends a sign of life, and how often the primary process looks for it. */
  readonly lookMs: number;
  /** After so many looks in a row without a sign a worker hangs. */
  readonly maxMissed: number;
}

/** A minute: no request blocks a worker for a second. */
export const WATCH_TIMES: WatchTimes = { lookMs: 5000, maxMissed: 12 };

/**
 * Finds workers whose event loop hangs. They neither end nor answer, so nothing else would replace them. It counts looks and not time, so that a machine that was suspended has missed one. A look that is late does not count: if
 * the primary process had to wait for a processor, so had the workers.
 */
export class Watchdog {
  readonly #times: WatchTimes;
  /** Looks without a sign since the last one, by the number of the worker. */
  readonly #missed = new Map<number, number>();
  #lastLook: number | undefined;

  constructor(times: WatchTimes = WATCH_TIMES) {
    this.#times = times;
  }

  /** Takes a sign of life. A worker is watched from its first one: a start may take any time. */
  sign(worker: number): void {
    this.#missed.set(worker, 0);
  }

  /** Stops watching a worker, which ended. */
  forget(worker: number): void {
    this.#missed.delete(worker);
  }

  /** The workers that hang. @param now In milliseconds, of a clock that is never set. */
  look(now: number): number[] {
    const isLate = this.#lastLook !== undefined && now - this.#lastLook > 2 * this.#times.lookMs;
    this.#lastLook = now;
    if (isLate) return [];
    for (const [worker, missed] of this.#missed) this.#missed.set(worker, missed + 1);
    return [...this.#missed].flatMap(([worker, missed]) => (missed > this.#times.maxMissed ? [worker] : []));
  }
}

interface Workers {
  /** The server's address, when all workers listen. Rejects with ExpectedError if one ends before. */
  readonly listening: Promise<string>;
  /** Lets every worker finish its requests. Those that still run after `graceMs` are killed. */
  stop(graceMs: number): Promise<void>;
}

/** @param port A port that all of them listen on; not 0. */
export function startWorkers(count: number, port: number, log: Logger, times = WATCH_TIMES): Workers {
  const running = new Map<number, Worker>();
  const restarts = new Map<number, NodeJS.Timeout>();
  const ready = new Set<number>();
  const watchdog = new Watchdog(times);
  let stopping = false;
  let announce: (url: string) => void;
  let fail: (error: ExpectedError) => void;
  const listening = new Promise<string>((resolve, reject) => {
    announce = resolve;
    fail = reject;
  });

  const start = (number: number, failures: number): void => {
    const worker = cluster.fork(workerEnvironment(number, port));
    const startedAt = performance.now();
    const { pid } = worker.process;
    running.set(number, worker);
    log.info({ worker: number, pid }, 'worker started');
    // Workers send their metrics too.
    worker.on('message', ({ url, alive }: Partial<Started & Sign>) => {
      if (alive) watchdog.sign(number);
      if (url === undefined) return;
      ready.add(number);
      if (ready.size === count) announce(url);
    });
    worker.on('exit', (code: number | null, signal: string | null) => {
      running.delete(number);
      watchdog.forget(number);
      if (stopping) return log.info({ worker: number, pid, code, signal }, 'worker stopped');
      if (ready.size < count)
        return fail(new ExpectedError('unexpected', endedAtStart(number, code, signal)));
      const times = failuresAfter(failures, performance.now() - startedAt);
      const restartMs = pauseAfter(times);
      log.error({ worker: number, pid, code, signal, restartMs }, 'worker ended; it is started again');
      restarts.set(
        number,
        setTimeout(() => start(number, times), restartMs),
      );
      return undefined;
    });
  };
  for (let number = 1; number <= count; number++) start(number, 0);
  const looks = setInterval(() => {
    for (const number of watchdog.look(performance.now())) {
      const worker = running.get(number);
      if (worker === undefined) continue;
      log.error({ worker: number, pid: worker.process.pid }, 'worker hangs; it is ended');
      worker.process.kill('SIGKILL');
    }
  }, times.lookMs);

  return {
    listening,
    stop: async (graceMs) => {
      stopping = true;
      clearInterval(looks);
      for (const timer of restarts.values()) clearTimeout(timer);
      await Promise.all([...running.values()].map((worker) => end(worker, graceMs)));
    },
  };
}

async function end(worker: Worker, graceMs: number): Promise<void> {
  const ended = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const cut = setTimeout(() => worker.process.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(cut);
}

const endedAtStart = (number: number, code: number | null, signal: string | null): string =>
  `Worker ${number} ended before the server listened (${signal ?? `exit code ${code}`}). Its own error is above.`;
