/** Messages for the operator when the database is unavailable to a command. */

/** By SQLSTATE. */
const STATES: Readonly<Record<string, string>> = {
  '25006': 'The database server is a standby, which accepts no changes',
  '28000': 'The database refused the connection',
  '28P01': 'The database refused the user name or the password',
  '3D000': 'The database does not exist',
  '40001': 'Another transaction changed the same data at the same time',
  '40P01': 'Another transaction changed the same data at the same time',
  '53000': 'The database has not enough resources',
  '53100': 'The database has no space left on its disk',
  '53200': 'The database has no memory left',
  '53300': 'The database has too many connections',
  '53400': 'The database has reached a limit of its configuration',
  '55000': 'The database accepts no connections',
  '55P03': 'The database did not give a lock in time',
  '57014': 'The database cancelled a statement',
  '57P01': 'The database is shutting down',
  '57P02': 'The database has crashed',
  '57P03': 'The database is starting up or shutting down',
  '58030': 'The database cannot use its disk',
};

interface DatabaseFailure extends Error {
  readonly code?: string;
  /** Advice of the database server, such as which of its settings to raise. */
  readonly hint?: string;
}

/** The message for an error for which `isDatabaseUnavailable` holds. It never contains the statement. */
export function unavailableMessage(error: Error): string {
  const { code, hint, message } = error as DatabaseFailure;
  const reason = STATES[code ?? ''] ?? 'The database cannot be reached';
  const advice = hint ? ` ${hint}` : '';
  return `${reason} (${code ?? lastPart(message)}).${advice}`;
}

/** Whether the failure may end without a change of settings. A refused log-in and a missing database do not. */
export const mayPass = (error: Error): boolean => !/^(?:28|3D)/.test((error as DatabaseFailure).code ?? '');

/** Knex puts the statement and a dash before the message of the driver. */
const lastPart = (message: string): string => message.split(' - ').at(-1)!;
