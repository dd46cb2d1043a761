/** Questions on the terminal. They are printed on standard error, because standard output is for results. */
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { CommandError } from '../command-error.js';

/**
 * The answer to a question, trimmed.
 * @throws CommandError `interrupted` after Ctrl-C or at the end of the input.
 */
export async function ask(question: string): Promise<string> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // After Ctrl-C the promise of the question never settles.
  const interrupted = new Promise<never>((_, reject) => {
    prompt.once('close', () => reject(new CommandError('interrupted', 'Interrupted.')));
  });
  try {
    return (await Promise.race([prompt.question(question), interrupted])).trim();
  } catch (error) {
    // The question is still on the line of the cursor.
    process.stderr.write('\n');
    throw error;
  } finally {
    prompt.close();
  }
}

/**
 * The lines of an answer up to an empty one or the end of the input, trimmed; also those that are pasted at once.
 * @param fault What is wrong with a line, which is left out; null: nothing.
 * @throws CommandError `interrupted` after Ctrl-C.
 */
export async function askLines(
  question: string,
  fault: (line: string) => string | null = () => null,
): Promise<string[]> {
  process.stderr.write(`${question}\n`);
  const prompt = createInterface({ input: process.stdin, output: process.stderr, prompt: '> ' });
  let isInterrupted = false;
  prompt.once('SIGINT', () => {
    isInterrupted = true;
    prompt.close();
  });
  const lines: string[] = [];
  prompt.prompt();
  for await (const line of prompt) {
    if (line.trim() === '') break;
    const wrong = fault(line.trim());
    if (wrong === null) lines.push(line.trim());
    else process.stderr.write(`${wrong}\n`);
    prompt.prompt();
  }
  prompt.close();
  if (!isInterrupted) return lines;
  process.stderr.write('\n');
  throw new CommandError('interrupted', 'Interrupted.');
}

interface Confirmation {
  /** As `Write this?`. */
  readonly question: string;
  /** What is not done without a yes, as a sentence. */
  readonly refusal: string;
  /** How to do without the question. */
  readonly hint: string;
  /** Whether an empty answer is a yes, because nothing is lost by it. */
  readonly isUsual?: boolean;
}

/**
 * Asks for a yes on the terminal.
 * @throws CommandError `usage` without a terminal, `interrupted` if the answer is not yes.
 */
export async function confirm({ question, refusal, hint, isUsual = false }: Confirmation): Promise<void> {
  if (process.stdin.isTTY !== true) {
    const reason = `Standard input is not a terminal, so “${question}” cannot be answered`;
    throw new CommandError('usage', `${refusal} ${reason}.`, { hint });
  }
  const answer = await ask(`${question} ${isUsual ? '[Y/n]' : '[y/N]'} `);
  if (!(isUsual && answer === '') && !/^y(?:es)?$/i.test(answer))
    throw new CommandError('interrupted', refusal);
}

interface Secret {
  /** What the prompt asks for. */
  readonly question: string;
  /** The failure if nothing is given, as a sentence. */
  readonly refusal: string;
  /** How it can be given. */
  readonly hint: string;
}

const API_KEY: Secret = {
  question: 'API key',
  refusal: 'No key was given.',
  hint: 'Type it at the prompt, or pipe it in: svc login < key.txt',
};

/** A key from a hidden prompt, or from standard input if that is not a terminal. */
export const readKey = (signal: AbortSignal): Promise<string> => readSecret(API_KEY, signal);

/** A secret from a hidden prompt, or from standard input if that is not a terminal. */
export async function readSecret({ question, refusal, hint }: Secret, signal?: AbortSignal): Promise<string> {
  const secret = (
    process.stdin.isTTY ? await promptHidden(question, signal) : await text(process.stdin)
  ).trim();
  if (secret !== '') return secret;
  throw new CommandError('usage', refusal, { hint });
}

async function promptHidden(message: string, signal: AbortSignal | undefined): Promise<string> {
  const { default: password } = await import('@inquirer/password');
  const context = { output: process.stderr, ...(signal && { signal }) };
  return password({ message, mask: true, toggleMask: false }, context);
}
