/** How shipping ended: the failure that decides the exit code, and advice. */
import { CommandError } from '../failure/command-error.js';
import { commandErrorOf } from '../failure/diagnosis.js';
import { counted } from '../render/view.js';
import { STDIN } from './log-file.js';
import type { Totals } from './totals.js';

/** Advice on how to ship the rest. */
export const resumeAdvice = (inputs: readonly string[]): string =>
  inputs.includes(STDIN)
    ? 'Run the same command again: nothing counts twice.'
    : 'The same command with --from last goes on there.';

interface FailureContext {
  readonly limit: number | null;
  readonly inputs: readonly string[];
}

/** The failure that determines the exit code; null: there is none. */
export function failureOf(
  error: unknown,
  totals: Totals,
  { limit, inputs }: FailureContext,
): CommandError | null {
  if (error !== undefined) {
    const failure = commandErrorOf(error);
    const { kind, status, retryable, message } = failure;
    const hint = resumeAdvice(inputs);
    if (kind === 'interrupted')
      return new CommandError(kind, `Interrupted; ${totals.reach} are delivered.`, { hint });
    if (totals.batches === 0) return failure;
    const text = `Part of the logs was not delivered, ${totals.reach} were: ${message}`;
    return new CommandError('incomplete', text, { status, retryable, hint });
  }
  if (totals.totalLines === 0 && totals.unparsed > 0) {
    const lines = counted(totals.unparsed, 'line');
    return new CommandError('incomplete', `Nothing could be parsed: ${lines}, and no request among them.`);
  }
  if (totals.skippedLines > 0) {
    return new CommandError(
      'incomplete',
      `${totals.skippedLines} lines are too long for any request and were skipped.`,
    );
  }
  if (limit !== null && totals.unparsedPercent > limit) {
    const share = totals.unparsedPercent.toFixed(1);
    return new CommandError(
      'incomplete',
      `${share} % of the lines could not be parsed; the limit is ${limit} %.`,
    );
  }
  return null;
}
