/** The failure of an import, with the name of the dataset file. */

import { createReadStream } from 'node:fs';
import { failureKindOf } from '../../contract/failure.js';
import type { DatasetError } from '../../server/intake/dataset/problems.js';
import { CommandError } from '../command-error.js';

/**
 * The failure of one file; an error without a message here is returned unchanged.
 * @param effect What did not happen because of it.
 */
export async function importFailure(
  file: string,
  error: unknown,
  effect = 'nothing was imported',
): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const messageOf = (reason: string) => `${file}: ${effect}\n${reason}`;
  const kind = failureKindOf(error);
  if (kind) {
    const { problems, count: total = 0, message } = error as Partial<DatasetError> & Error;
    const listed = problems?.map((problem) => ({ file, ...problem }));
    return new CommandError(kind, messageOf(message), listed && { problems: { listed, total } });
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code.startsWith('Z_')) return new CommandError('unexpected', messageOf(gzipMessage(code)));
  const { isDatabaseUnavailable } = await import('../../server/base/errors.js');
  if (!isDatabaseUnavailable(error)) return error;
  const { mayPass, unavailableMessage } = await import('../../server/database/failures.js');
  return new CommandError('network', messageOf(unavailableMessage(error)), { retryable: mayPass(error) });
}

/**
 * The bytes of a file.
 * @throws CommandError `usage` if it cannot be read. A connection that ends has an error of the same form.
 */
export async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: 1 << 20 });
  } catch (error) {
    throw unreadable(file, (error as NodeJS.ErrnoException).code);
  }
}

/** A file that cannot be opened or read. */
export const unreadable = (file: string, code: string | undefined): CommandError =>
  new CommandError(
    'usage',
    code === 'EISDIR'
      ? `${file} is a folder; name its files.`
      : `${file} cannot be read (${code || 'unknown reason'}).`,
  );

const gzipMessage = (code: string): string =>
  code === 'Z_BUF_ERROR'
    ? 'its gzip data ends before it is complete: the file is cut off'
    : 'its gzip data is corrupt';
