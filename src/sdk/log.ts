/** From silent to everything: `info` logs retries and long waits, `debug` every request. */
export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Where log lines go; `console` fits. */
export interface Logger {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** The log of the SDK itself. */
export type Log = Omit<Logger, 'error'>;

/** A log that drops what is below `level` and hides the key in what is left. A logger that throws ends no call. */
export function createLog(logger: Logger, level: LogLevel, redact: (text: string) => string): Log {
  const at = (own: keyof Log) => (message: string) => {
    try {
      if (logLevels.indexOf(own) <= logLevels.indexOf(level)) logger[own](redact(message));
    } catch {}
  };
  return { warn: at('warn'), info: at('info'), debug: at('debug') };
}
