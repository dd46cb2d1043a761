/** The kinds of failure: the stable word that `--json` prints, and the exit code. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  authentication: 3,
  not_allowed: 4,
  not_found: 5,
  rate_limited: 6,
  network: 7,
  server_error: 8,
  incomplete: 9,
  interrupted: 130,
} as const;

export type FailureKind = keyof typeof exitCodes;

/** What is wrong with input that was read: entries of their own under `--json`. */
export interface ProblemList {
  readonly listed: readonly object[];
  /** How many there are, the listed ones included. */
  readonly total: number;
}

interface Details {
  /** HTTP status of the answer; absent: there was none. */
  readonly status?: number | null;
  /** Whether the same command may succeed later. */
  readonly retryable?: boolean;
  /** What to do about it; printed for people, never under --json. */
  readonly hint?: string | undefined;
  /** What the message says, one by one. */
  readonly problems?: ProblemList;
}

/** A failure that a command reports: it decides the exit code and what is printed. */
export class CommandError extends Error {
  readonly kind: FailureKind;
  readonly status: number | null;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly problems: ProblemList | undefined;

  constructor(kind: FailureKind, message: string, details: Details = {}) {
    super(message);
    this.name = 'CommandError';
    this.kind = kind;
    this.status = details.status ?? null;
    this.retryable = details.retryable ?? false;
    this.hint = details.hint;
    this.problems = details.problems;
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}
