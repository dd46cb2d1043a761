/** One family of errors, thrown anywhere and mapped to a response in one place per surface. */
import { errors, type Refusal } from '../contract/errors.js';
import type { Logger } from './log.js';

/** A refusal of the contract on its way to the caller. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'RefusedError';
    this.refusal = refusal;
  }
}

export const refuse = (refusal: Refusal): RefusedError => new RefusedError(refusal);

/** The body that a refusal is answered with. */
export const bodyOf = (refusal: Refusal): object => ({ error: refusal.message, ...refusal.extra });

/**
 * The refusal that answers any thrown value. What is not a refusal is logged here, once.
 * @param request What the log line states about the request.
 */
export function refusalOf(
  error: unknown,
  request: { readonly requestId: string; readonly [field: string]: string },
  log: Logger,
): Refusal {
  if (error instanceof RefusedError) return error.refusal;
  if (isDatabaseUnavailable(error)) {
    log.warn({ ...request, err: error }, 'database unavailable');
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
/** Classes of SQLSTATE that mean the server is not there for us now: connection, resources, operator intervention. */
const UNREACHABLE_CLASSES = ['08', '53', '57'];
/** States that the same statement may not meet again: serialisation failure, deadlock, lock not available in time. */
const PASSING_STATES = ['40001', '40P01', '55P03'];
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** What the driver says without a code about a connection that is gone; Knex puts the statement and a dash before it. */
const GONE =
  /(?:^| - )(?:Connection terminated|timeout expired|Client has encountered a connection error|Client was closed|Unable to acquire a connection)[^\n]*$/;

/**
 * Whether an error says that the database cannot be reached, does not answer in time or has no room, rather than that a
 * query is wrong: the same request may succeed later.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (name === 'KnexTimeoutError' || name === 'AcquireTimeoutError') return true;
  if (code !== undefined && SQLSTATE.test(code))
    return UNREACHABLE_CLASSES.includes(code.slice(0, 2)) || PASSING_STATES.includes(code);
  if (code !== undefined && UNREACHABLE_CODES.has(code)) return true;
  return code === undefined && GONE.test(message);
}
