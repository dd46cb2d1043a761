import { text } from 'node:stream/consumers';
import { CommandError } from '../failure/command-error.js';

/** A key from a hidden prompt, or from standard input if that is not a terminal. */
export async function readKey(signal: AbortSignal): Promise<string> {
  const key = (process.stdin.isTTY ? await promptHidden(signal) : await text(process.stdin)).trim();
  if (key !== '') return key;
  throw new CommandError('usage', 'No key was given.', {
    hint: 'Type it at the prompt, or pipe it in: svc login < key.txt',
  });
}

async function promptHidden(signal: AbortSignal): Promise<string> {
  const { default: password } = await import('@inquirer/password');
  return password({ message: 'API key', mask: true, toggleMask: false }, { output: process.stderr, signal });
}
