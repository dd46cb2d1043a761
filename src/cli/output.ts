/** Whoever read our standard output has stopped reading, as `head` does. Not a failure, but nothing is left to do. */
export class OutputClosed extends Error {
  constructor() {
    super('Standard output was closed.');
    this.name = 'OutputClosed';
  }
}

/**
 * Writes to standard output and waits until it is written.
 * @throws OutputClosed when nobody reads any more; oclif keeps that from ending the process, so it must end here.
 */
export function print(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, 'utf8', (error) => {
      if (!error) resolve();
      else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new OutputClosed() : error);
    });
  });
}

/** Columns of the terminal that standard output is, or that COLUMNS states; undefined: as wide as need be. */
export function outputWidth(): number | undefined {
  const stated = Number(process.env.COLUMNS);
  return process.stdout.columns || (Number.isInteger(stated) && stated > 0 ? stated : undefined);
}
