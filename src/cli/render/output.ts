import { CommandError } from '../failure/command-error.js';

/** The reader of standard output closed it, as `head` does. The command ends without a failure. */
export class OutputClosed extends Error {
  constructor() {
    super('Standard output was closed.');
    this.name = 'OutputClosed';
  }
}

/** Standard output cannot be written, for example because the disk is full. */
export class OutputFailed extends CommandError {
  constructor({ code, message }: NodeJS.ErrnoException) {
    super('unexpected', `Standard output cannot be written: ${reasons[code ?? ''] ?? message}.`);
  }
}

/** The error for a failed write to standard output: closed by its reader, or not writable. */
export const outputError = (error: NodeJS.ErrnoException): OutputClosed | OutputFailed =>
  error.code === 'EPIPE' ? new OutputClosed() : new OutputFailed(error);

const reasons: { readonly [code: string]: string } = {
  ENOSPC: 'no space left on the device (ENOSPC)',
  EDQUOT: 'the disk quota is exceeded (EDQUOT)',
  EFBIG: 'the file would be too large (EFBIG)',
  EIO: 'input/output error (EIO)',
};

/**
 * Writes to standard output and waits until it is written.
 * @throws OutputClosed when the reader closed it. oclif ignores EPIPE, so the command must end by this error.
 * @throws OutputFailed when it cannot be written.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, 'utf8', (error) => {
      if (error) reject(outputError(error));
      else resolve();
    });
  });
}

/** The columns of the terminal on standard output, or the value of COLUMNS; undefined: no limit. */
export function outputWidth(): number | undefined {
  const stated = Number(process.env.COLUMNS);
  return process.stdout.columns || (Number.isInteger(stated) && stated > 0 ? stated : undefined);
}
