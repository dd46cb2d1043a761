import { pino } from 'pino';

export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

/**
 * Logs JSON lines to standard error, so that standard output has only what the user or a script reads.
 * @param fields In every line.
 */
export const createLog = (level: string, fields: Readonly<Record<string, unknown>> | null = null): Logger =>
  pino(
    { level, base: fields, redact: ['headers.authorization', 'err.config', 'err.bindings'] },
    pino.destination({ dest: 2, sync: true }),
  );
