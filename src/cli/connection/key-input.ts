import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { CommandError } from '../failure/command-error.js';

/** A key from a hidden prompt, or from standard input where that is no terminal. */
export async function readKey(signal: AbortSignal): Promise<string> {
  const key = (process.stdin.isTTY ? await askHidden(signal) : await text(process.stdin)).trim();
  if (key !== '') return key;
  throw new CommandError('usage', 'No key was given.', {
    hint: 'Type it at the prompt, or pipe it in: svc login < key.txt',
  });
}

async function askHidden(signal: AbortSignal): Promise<string> {
  const { default: password } = await import('@inquirer/password');
  return password({ message: 'API key', mask: true, toggleMask: false }, { output: process.stderr, signal });
}

/** The server's address, from the user where there is a terminal to ask at. */
export async function askUrl(proposed: string, signal: AbortSignal): Promise<string> {
  if (!process.stdin.isTTY) return proposed;
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await questions.question(`Server (${proposed}): `, { signal })).trim() || proposed;
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw new CommandError('interrupted', 'Interrupted.');
    throw error;
  } finally {
    questions.close();
  }
}
