import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CommandError } from '../failure/command-error.js';

/**
 * The content of a file, or of standard input for `-`.
 * @throws CommandError `usage` for a file that cannot be read.
 */
export async function inputOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  if (file === '-') return new Uint8Array(await buffer(process.stdin));
  try {
    return new Uint8Array(await readFile(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('usage', `--input: ${file} cannot be read (${code ?? 'unknown reason'}).`);
  }
}
