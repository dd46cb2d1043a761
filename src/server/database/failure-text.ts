/** What an operator reads when the database does not do what a command asks of it. */

/** By SQLSTATE. */
const STATES: Readonly<Record<string, string>> = {
  '40001': 'Another transaction changed the same data at the same time',
  '40P01': 'Another transaction changed the same data at the same time',
  '53000': 'The database has not enough resources',
  '53100': 'The database has no space left on its disk',
  '53200': 'The database has no memory left',
  '53300': 'The database has too many connections',
  '53400': 'The database has reached a limit of its configuration',
  '55P03': 'The database did not give a lock in time',
  '57014': 'The database cancelled a statement',
  '57P01': 'The database is shutting down',
  '57P02': 'The database has crashed',
  '57P03': 'The database is starting up or shutting down',
};

interface DatabaseFailure extends Error {
  readonly code?: string;
  /** Advice of the database server, as which of its settings to raise. */
  readonly hint?: string;
}

/** The words for an error of which `isDatabaseUnavailable` holds; never its statement. */
export function unavailableWords(error: Error): string {
  const { code, hint, message } = error as DatabaseFailure;
  const words = STATES[code ?? ''] ?? 'The database cannot be reached';
  const advice = hint ? ` ${hint}` : '';
  return `${words} (${code ?? lastPart(message)}).${advice}`;
}

/** Knex puts the statement and a dash before what the driver says. */
const lastPart = (message: string): string => message.split(' - ').at(-1)!;
