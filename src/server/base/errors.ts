/** The errors that any code may throw. Each surface maps them to responses in one place. */
import { errors, type Refusal } from '../../contract/errors.js';
import type { Logger } from './log.js';

export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'RefusedError';
    this.refusal = refusal;
  }
}

/** Nobody waits for the result of the work any more: the clients of all its requests have closed their connections. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';

  constructor() {
    super('The client has closed the connection');
  }
}

/** What is noted as the response of such a request; no client receives it. */
const CLIENT_GONE: Refusal = {
  code: 'client_gone',
  status: 499,
  message: 'The client has closed the connection',
};

export const refuse = (refusal: Refusal): RefusedError => new RefusedError(refusal);

export const bodyOf = ({ message, code, parameters, extra }: Refusal): object => ({
  error: message,
  code,
  ...(parameters && { parameters }),
  ...extra,
});

/**
 * The refusal for any thrown value. A value that is not a refusal is logged here, once.
 * @param request The fields of the request for the log line.
 */
export function refusalOf(
  error: unknown,
  request: { readonly requestId: string; readonly [field: string]: string | null },
  log: Logger,
): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  if (error instanceof ClientGoneError) return CLIENT_GONE;
  if (isDatabaseUnavailable(error)) {
    log.warn({ ...request, err: error }, 'database unavailable');
    if ((error as NodeJS.ErrnoException).code === NO_CHANGES) return errors.changesPaused();
    return errors.databaseUnavailable();
  }
  log.error({ ...request, err: error }, 'request failed');
  return errors.internal(request.requestId);
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'EADDRNOTAVAIL',
]);
/**
 * Classes of SQLSTATE that mean the server is unavailable: connection, refused log-in, resources, operator intervention,
 * failing disk.
 */
const UNREACHABLE_CLASSES = ['08', '28', '53', '57', '58'];
/**
 * States in which the same request may succeed later: serialisation failure, deadlock, lock not available in time; a
 * server that is a standby for now; a database that does not exist or accepts no connections.
 */
const NO_CHANGES = '25006';
const PASSING_STATES = ['40001', '40P01', '55P03', NO_CHANGES, '3D000', '55000'];
/** A standby refuses unlogged tables with the state of an unsupported feature. */
const STANDBY = /during recovery$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Messages of the driver for a lost connection without a code. Knex puts the statement and a dash before them. */
const GONE =
  /(?:^| - )(?:Connection terminated|timeout expired|Client has encountered a connection error|Client was closed|Unable to acquire a connection)[^\n]*$/;

/**
 * Whether an error means that the database is unreachable, too slow or out of resources, and not that a query is wrong.
 * The same request may succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (name === 'KnexTimeoutError' || name === 'AcquireTimeoutError') return true;
  // First: EPIPE has the form of an SQLSTATE.
  if (code !== undefined && UNREACHABLE_CODES.has(code)) return true;
  if (code !== undefined && SQLSTATE.test(code))
    return (
      UNREACHABLE_CLASSES.includes(code.slice(0, 2)) ||
      PASSING_STATES.includes(code) ||
      (code === '0A000' && STANDBY.test(message))
    );
  return code === undefined && GONE.test(message);
}

/** Whether the database accepts no changes for now: it is a standby, or a copy of the embedded one is to replace it. */
export const refusesChanges = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === NO_CHANGES;
