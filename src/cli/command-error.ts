import { exitCodes, type FailureKind } from '../contract/failure.js';
import { SvcError } from '../sdk/errors.js';

/** The address is not that of an svc server. A retry does not help. */
export class AddressError extends SvcError {
  static {
    AddressError.prototype.name = 'AddressError';
  }

  declare readonly kind: FailureKind;
  declare readonly remedy: string | undefined;

  constructor(kind: FailureKind, message: string, remedy?: string) {
    super(message);
    this.kind = kind;
    this.remedy = remedy;
  }
}

/** Problems of the input; `--json` prints them one by one. */
interface ProblemList {
  readonly listed: readonly object[];
  /** The number of all problems, including the listed ones. */
  readonly total: number;
}

interface Details {
  /** HTTP status; undefined if there was no response. */
  readonly status?: number | null;
  readonly refusal?: string | number | null;
  readonly parameters?: readonly string[];
  /** Whether the same command may succeed later. */
  readonly retryable?: boolean;
  /** Advice for the user; not printed with --json. */
  readonly hint?: string | undefined;
  readonly problems?: ProblemList;
}

/** A failure that a command reports; it determines the exit code and the output. */
export class CommandError extends Error {
  readonly kind: FailureKind;
  readonly status: number | null;
  /** The code with which the server refused; null: it did not, or stated none. */
  readonly refusal: string | number | null;
  /** The parameters that the server refused. */
  readonly parameters: readonly string[];
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly problems: ProblemList | undefined;

  constructor(kind: FailureKind, message: string, details: Details = {}) {
    super(message);
    this.name = 'CommandError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.refusal = details.refusal ?? null;
    this.parameters = details.parameters ?? [];
    this.retryable = details.retryable ?? false;
    this.hint = details.hint;
    this.problems = details.problems;
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}
