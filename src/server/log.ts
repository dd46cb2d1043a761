import { pino } from 'pino';

export type Logger = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** Logs JSON lines to standard error, so that standard output has only what the user or a script reads. */
export const createLog = (level: string): Logger =>
  pino(
    { level, base: null, redact: ['headers.authorization', 'err.config', 'err.bindings'] },
    pino.destination({ dest: 2, sync: true }),
  );
