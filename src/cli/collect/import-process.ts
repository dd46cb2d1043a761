/** An import by a process of its own, as `svc admin import` does beside a server: the server reads on meanwhile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { ExpectedError, type FailureKind } from '../../contract/failure.js';

interface Failure {
  readonly code: FailureKind;
  readonly message: string;
}

/**
 * Imports a dataset file into the embedded database of `folder`, which this process has open and shares.
 * @throws ExpectedError with what the command says.
 */
export async function importByCommand(file: string, folder: string): Promise<void> {
  const command = ['admin', 'import', '--json', '--data-dir', dirname(folder), file];
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...command], {
    stdio: ['ignore', 'pipe', 'ignore'],
    // A signal of the terminal is for the server, which waits for the import.
    detached: true,
  });
  const [printed, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw failureOf(printed, signal ?? `exit code ${code}`);
}

function failureOf(printed: string, end: string): ExpectedError {
  try {
    const { code, message } = (JSON.parse(printed) as { error: Failure }).error;
    return new ExpectedError(code, message);
  } catch {
    return new ExpectedError('unexpected', `The process that imports ended by ${end}.`);
  }
}
