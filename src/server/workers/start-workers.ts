/** Starts the workers of a server, and starts one again that ended or hangs. The primary process does nothing else for requests. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from '../log.js';
import { failuresAfter, pauseAfter } from './restarts.js';
import { WATCH_TIMES, Watchdog } from './watchdog.js';
import { type Sign, type Started, workerEnvironment } from './worker-messages.js';

/** The workers cannot serve. */
export class WorkersError extends Error {
  override readonly name = 'WorkersError';
}

export interface Workers {
  /** The server's address, when all workers listen. Rejects with WorkersError if one ends before. */
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
  let fail: (error: WorkersError) => void;
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
      if (ready.size < count) return fail(new WorkersError(endedAtStart(number, code, signal)));
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
