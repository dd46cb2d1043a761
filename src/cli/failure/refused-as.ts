import type { Refusal } from '../../contract/errors.js';
import { isSvcError } from '../../sdk/errors.js';
import { CommandError } from './command-error.js';

/**
 * Whether a failure is that refusal of the server. Its code says so; a server that sends no codes is recognised by the text of the
 * releases before them.
 */
export function isRefusedAs(error: unknown, { code, message }: Refusal): boolean {
  const stated = codeOf(error);
  return stated === null ? (error as Error).message === message : stated === code;
}

/** The code of a refusal; null: the server sent none; undefined: the failure is not one of the server. */
export function codeOf(error: unknown): string | number | null | undefined {
  if (isSvcError(error)) return error.code;
  return error instanceof CommandError ? error.refusal : undefined;
}
