/** Messages for the operator: why the database could not be opened or is unavailable. */

import { statfsSync } from 'node:fs';
import { ExpectedError } from '../../contract/failure.js';
import { DataFolderError, FolderInUseError } from './data-folder.js';

/** Postgres did not start on the folder. */
export class EmbeddedOpenError extends ExpectedError {}

/** Postgres did not start on the folder, because its disk is full. It starts when there is space. */
export class DiskFullError extends EmbeddedOpenError {}

/** Postgres ended while this process used it. Its code is that of the error which a server of Postgres would send. */
export class EmbeddedEndedError extends ExpectedError {
  readonly code: string;

  constructor(code: string, message: string, hint?: string) {
    super('network', message, { hint });
    this.code = code;
    // Knex would put the statement before it.
    Object.defineProperty(this, 'message', { get: () => message, set: () => undefined });
  }
}

/** What Postgres said last before it ended. */
export interface LastWords {
  fatal?: string;
  /** A sentence about it, such as which version made the files. */
  detail?: string | undefined;
}

const FATAL = /(?:FATAL|PANIC): +(.*)/;
const DETAIL = / DETAIL: +(.*)/;

/** Keeps the reason from a line that Postgres logs, and the detail from the next. */
export function listen(lastWords: LastWords, line: string): void {
  const reason = FATAL.exec(line)?.[1];
  if (reason !== undefined) {
    lastWords.fatal = reason;
    lastWords.detail = undefined;
  } else if (lastWords.fatal !== undefined) lastWords.detail ??= DETAIL.exec(line)?.[1];
}

/** ENOSPC as the WebAssembly file system numbers it. */
const NO_SPACE = 51;
const NO_SPACE_WORDS = /No space left on device/;

/**
 * The error for what the embedded database throws on open: for a failing file system an object with an error number only,
 * else an error without a reason.
 */
export function openFailure(folder: string, error: unknown, { fatal, detail }: LastWords = {}): Error {
  const {
    errno,
    code,
    reason: refused,
  } = (error ?? {}) as { errno?: unknown; code?: unknown; reason?: unknown };
  const place = `The embedded database in ${folder} cannot be opened`;
  const space = spaceOf(folder);
  if (
    errno === NO_SPACE ||
    [code, refused].includes('ENOSPC') ||
    (fatal !== undefined && NO_SPACE_WORDS.test(fatal))
  )
    return new DiskFullError(
      'network',
      `${place}: no space is left on its disk.${space} It opens when there is more.`,
      { cause: error },
    );
  if (error instanceof DataFolderError || error instanceof FolderInUseError) return error;
  if (!(error instanceof Error) && typeof errno === 'number')
    return new DataFolderError(folder, `error ${errno}`);
  const reason = fatal ?? (error instanceof Error ? error.message : String(error));
  const more = detail === undefined ? '' : ` ${detail}`;
  return new EmbeddedOpenError('unexpected', `${place}: ${reason}.${more}${space}`, { cause: error });
}

/** The error for Postgres that has ended. */
export function endFailure(folder: string, { fatal, detail }: LastWords): EmbeddedEndedError {
  if (NO_SPACE_WORDS.test(fatal ?? ''))
    return new EmbeddedEndedError(
      DISK_FULL,
      `No space is left on the disk of the embedded database in ${folder}.${spaceOf(folder)}`,
      'Free space on that disk, and run the command again.',
    );
  const more = detail === undefined ? '' : ` ${detail}`;
  return new EmbeddedEndedError(
    CRASHED,
    `Postgres on ${folder}, in this process, has ended: ${fatal}.${more}`,
  );
}

/** Adds the folder and its free space to an error of a full disk, as advice for the operator. */
export function noteFullDisk(folder: string, error: unknown): void {
  if ((error as DatabaseFailure).code === DISK_FULL)
    Object.assign(error as DatabaseFailure, { hint: `The database is in ${folder}.${spaceOf(folder)}` });
}

/** SQLSTATEs. */
const DISK_FULL = '53100';
const CRASHED = '57P02';

/** Why the database is unavailable to a command, by SQLSTATE. */
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

// The free space of a disk.

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Bytes in words: `2.8 GiB`, `140 MiB`. */
export const bytesInWords = (bytes: number): string =>
  bytes >= GIB ? `${(bytes / GIB).toFixed(1)} GiB` : `${Math.round(bytes / MIB)} MiB`;

/** The free bytes for a user that is not root; undefined if the folder is not on this machine. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function spaceOf(folder: string): string {
  const free = freeBytes(folder);
  return free === undefined ? '' : ` Its disk has ${bytesInWords(free)} free.`;
}
