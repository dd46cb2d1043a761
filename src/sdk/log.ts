/** The log levels, from silent to everything: `info` logs retries and long waits, `debug` every request. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;
/** One of `logLevels`. */
export type LogLevel = (typeof logLevels)[number];

/** The receiver of log lines, for example `console`. */
export interface Logger {
  /** The SDK itself logs no errors, it rejects with them. */
  error(message: string): void;
  /** Lines of a log that may not be counted correctly. */
  warn(message: string): void;
  /** Retries. */
  info(message: string): void;
  /** Every request and its outcome. */
  debug(message: string): void;
}

/** The log of the SDK itself. */
export type Log = Omit<Logger, 'error'>;

/** A log that drops lines below `level` and hides the key in the others. Errors of the logger are ignored. */
export function createLog(logger: Logger, level: LogLevel, redact: (text: string) => string): Log {
  const at = (own: keyof Log) => (message: string) => {
    try {
      if (logLevels.indexOf(own) <= logLevels.indexOf(level)) logger[own](redact(message));
    } catch {}
  };
  return { warn: at('warn'), info: at('info'), debug: at('debug') };
}
