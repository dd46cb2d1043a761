import { type ErrorName, errorCode } from '../../contract/errors.js';
import { exitCodes, type FailureKind } from '../../contract/failure.js';
import { isSvcError, type SvcError } from '../../sdk/errors.js';
import { AddressError, CommandError } from '../command-error.js';

/** Converts any thrown value to the failure to report. */
export function commandErrorOf(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof AddressError) return new CommandError(error.kind, error.message);
  if (isSvcError(error)) return ofApi(error);
  if (!(error instanceof Error)) return new CommandError('unexpected', String(error));
  // Ctrl-C in a prompt.
  if (error.name === 'ExitPromptError') return new CommandError('interrupted', 'Interrupted.');
  const stated = (error as { oclif?: { exit?: number } }).oclif?.exit;
  return new CommandError(kindOfExit(stated), error.message || error.name);
}

function kindOfExit(code: number | undefined): FailureKind {
  const known = Object.entries(exitCodes).find(([, exit]) => exit === code);
  return known ? (known[0] as FailureKind) : 'unexpected';
}

function ofApi(error: SvcError): CommandError {
  const { status, code: refusal, parameters, retryable } = error;
  const kind = kindOfStatus(error);
  const hint = isRefusedAs(error, 'unknownMark')
    ? '`svc marks` lists the marks of a brand.'
    : hintOf(status, kind);
  return new CommandError(kind, error.message, { status, refusal, parameters, retryable, hint });
}

/** The brand exists, but the data that the request needs does not. */
const LACKING = 409;

const hintOf = (status: number | null, kind: FailureKind) => (status === LACKING ? undefined : hints[kind]);

const usageStatuses: readonly number[] = [400, 413, 415];

function kindOfStatus({ status, retryable }: SvcError): FailureKind {
  if (status === null) return retryable ? 'network' : 'unexpected';
  if (usageStatuses.includes(status)) return 'usage';
  if (status === 401) return 'authentication';
  if (status === 403) return 'not_allowed';
  if (status === 404 || status === LACKING) return 'not_found';
  if (status === 408) return 'network';
  if (status === 429) return 'rate_limited';
  return status >= 500 ? 'server_error' : 'unexpected';
}

const hints: { readonly [K in FailureKind]?: string } = {
  authentication: 'Store a valid key with `svc login`, or set SVC_API_KEY.',
  not_found: '`svc brands` lists the brands that the key can see.',
  network: 'Is the server running, and is its address right? `svc whoami` shows the address in use.',
};

/** Whether a failure is that refusal of the server. */
export const isRefusedAs = (error: unknown, name: ErrorName): boolean =>
  (isSvcError(error) ? error.code : error instanceof CommandError && error.refusal) === errorCode(name);
