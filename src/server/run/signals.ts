/** The signals that end a server. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Resolves at the first SIGINT or SIGTERM.
 * @param onAgain Called at each later one.
 */
export function firstSignal(onAgain: () => void): Promise<void> {
  return new Promise((resolve) => {
    let signalled = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (signalled) return onAgain();
        signalled = true;
        resolve();
      });
    }
  });
}

/** The exit codes that a shell reports for a process that a signal ended. */
const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs the start of a server, during which a signal ends the process. A listener would not be called while the embedded
 * database replays its log, because that blocks the event loop; without one the system ends the process, except the first
 * of a container.
 */
export async function endedBySignals<T>(work: () => Promise<T>): Promise<T> {
  if (process.pid !== 1) return work();
  const end = (signal: keyof typeof CODES) => process.exit(CODES[signal]);
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

/** Ends this process at once, with the exit code of a process that was interrupted. */
export const exitInterrupted = (): never => process.exit(130);
