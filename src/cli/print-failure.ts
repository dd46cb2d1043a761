import { exitCodes } from '../contract/failure.js';
import { printableJson, printableLines } from '../contract/printable.js';
import type { CommandError } from './command-error.js';
import { commandErrorOf } from './failure/diagnosis.js';
import { OutputClosed, OutputFailed, print, styled, wrapped } from './render/terminal.js';

/**
 * Prints a failure: one JSON object on stdout when the arguments request JSON, else a message on stderr.
 * @returns The exit code.
 */
export async function printFailure(error: unknown, argv: readonly string[]): Promise<number> {
  if (error instanceof OutputClosed) return 0;
  const exit = exitRequest(error);
  if (exit !== undefined) return exit;
  const failure = commandErrorOf(error);
  const isPrinted = requestsJson(argv) && !(failure instanceof OutputFailed) && (await printJson(failure));
  if (!isPrinted) printMessage(failure, error);
  return failure.exitCode;
}

/** The code of oclif's `this.exit(code)`, which prints nothing. */
function exitRequest(error: unknown): number | undefined {
  const { code, oclif } = (error ?? {}) as { code?: unknown; oclif?: { exit?: number } };
  return code === 'EEXIT' ? (oclif?.exit ?? exitCodes.unexpected) : undefined;
}

/** Reads the raw arguments, because the failure may be that they cannot be parsed. */
function requestsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return own.some(
    (arg, at) =>
      arg === '--json' || arg === '--format=json' || (arg === '--format' && own[at + 1] === 'json'),
  );
}

/** @returns False: standard output cannot be written. */
async function printJson({ kind, message, status, retryable, problems }: CommandError): Promise<boolean> {
  const list = problems && { problems: problems.listed, problems_total: problems.total };
  try {
    await print(`${printableJson({ error: { code: kind, message, status, retryable, ...list } })}\n`);
    return true;
  } catch (error) {
    return error instanceof OutputClosed;
  }
}

const MARK = 'Error:';

/** Prints the message and the advice, wrapped at the width of the terminal. */
function printMessage(failure: CommandError, error: unknown): void {
  const { stderr } = process;
  const linesOf = (text: string) =>
    printableLines(text)
      .split('\n')
      .flatMap((line) => wrapped(line, stderr.columns));
  const [first = '', ...rest] = linesOf(`${MARK} ${failure.message}`);
  const message = [styled(['red', 'bold'], MARK, stderr) + first.slice(MARK.length), ...rest];
  const hint = failure.hint ? linesOf(failure.hint).map((line) => styled(['dim'], line, stderr)) : [];
  stderr.write(`${[...message, ...hint].join('\n')}\n`);
  if (process.env.DEBUG && error instanceof Error) stderr.write(`${printableLines(error.stack ?? '')}\n`);
}
