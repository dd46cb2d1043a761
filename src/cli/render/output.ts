import { CommandError } from '../failure/command-error.js';

/** Whoever read our standard output has stopped reading, as `head` does. Not a failure, but nothing is left to do. */
export class OutputClosed extends Error {
  constructor() {
    super('Standard output was closed.');
    this.name = 'OutputClosed';
  }
}

/** Standard output cannot be written, so that words about it go elsewhere. */
export class OutputFailed extends CommandError {
  constructor({ code, message }: NodeJS.ErrnoException) {
    super('unexpected', `Standard output cannot be written: ${reasons[code ?? ''] ?? message}.`);
  }
}

/** What a failed write to standard output is: its reader is gone, or there is no room for it. */
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
 * @throws OutputClosed when nobody reads any more; oclif keeps that from ending the process, so it must end here.
 * @throws OutputFailed when there is no room for it.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, 'utf8', (error) => {
      if (error) reject(outputError(error));
      else resolve();
    });
  });
}

/** Columns of the terminal that standard output is, or that COLUMNS states; undefined: as wide as need be. */
export function outputWidth(): number | undefined {
  const stated = Number(process.env.COLUMNS);
  return process.stdout.columns || (Number.isInteger(stated) && stated > 0 ? stated : undefined);
}
