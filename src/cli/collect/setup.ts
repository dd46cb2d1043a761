/** What a collection needs from the machine: the plan file, the place of its files, a confirmation. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { CollectPlan } from '../../collect/plan/plan.js';
import { CommandError } from '../failure/command-error.js';
import { unreadable } from '../failure/import-failure.js';

/** A plan is a page of text. */
const LONGEST_PLAN = 1024 * 1024;

/** @throws CommandError `usage`, PlanError */
export async function readPlan(file: string): Promise<CollectPlan> {
  const { parsePlan } = await import('../../collect/plan/parse-plan.js');
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error.code);
  });
  if (text.length > LONGEST_PLAN) throw new CommandError('usage', `${file} is too long for a plan.`);
  return parsePlan(text, file);
}

/** Where the runs of a day are kept before they are imported, by database and brand. */
export function stateFile(location: object, brand: string, date: string): string {
  const folder = process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const hash = createHash('sha256').update(JSON.stringify(location)).digest('hex').slice(0, 16);
  return join(folder, 'svc', `collect-${hash}`, `${brand}-${date}.ndjson`);
}

/**
 * Asks on the terminal.
 * @throws CommandError `usage` without a terminal, `interrupted` if the answer is not yes.
 */
export async function confirm(what: string): Promise<void> {
  if (process.stdin.isTTY !== true) {
    throw new CommandError('usage', `Nobody can confirm ${what}: the standard input is no terminal.`, {
      hint: 'Add --yes to send without a question, or --dry-run to send nothing.',
    });
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const interrupted = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([prompt.question(`Send ${what}? [y/N] `), interrupted]);
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('interrupted', 'Nothing was sent.');
  } finally {
    prompt.close();
  }
}
