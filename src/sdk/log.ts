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

const HIDDEN = '[redacted]';
/** Deeper causes are dropped, which also ends cycles. */
const MAX_CAUSE_DEPTH = 4;

/** Returns a function that replaces the key everywhere in a text: plain, in JSON and in a URL. */
export function redactor(key: string): (text: string) => string {
  const spellings = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
  return (text) => spellings.reduce((rest, spelling) => rest.replaceAll(spelling, HIDDEN), text);
}

/**
 * Copies only name, message, code, stack and causes of an error, because the original may contain the request with its
 * Authorization header.
 */
export function safeCause(error: unknown, redact: (text: string) => string, depth = 1): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error)));
  const { cause, code } = error as { cause?: unknown; code?: unknown };
  const nested =
    cause === undefined || depth === MAX_CAUSE_DEPTH ? {} : { cause: safeCause(cause, redact, depth + 1) };
  const copy = new Error(redact(error.message), nested);
  copy.name = redact(error.name);
  copy.stack = redact(error.stack ?? '');
  return typeof code === 'string' ? Object.assign(copy, { code: redact(code) }) : copy;
}
