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

/** Ends this process at once, with the exit code of a process that was interrupted. */
export const exitInterrupted = (): never => process.exit(130);
