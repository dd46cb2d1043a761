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

/** An error of the server or the collector that the command reports with its message, as a failure of this kind. */
export class ExpectedError extends Error {
  readonly failureKind: FailureKind;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(
    failureKind: FailureKind,
    message: string,
    options?: ErrorOptions & { readonly hint?: string },
  ) {
    super(message, options);
    this.hint = options?.hint;
    this.name = new.target.name;
    this.failureKind = failureKind;
  }
}

/**
 * The kind of an ExpectedError; undefined: another error. Not by its class: the command is a bundle with a class of its own.
 */
export const failureKindOf = (error: unknown): FailureKind | undefined =>
  (error as Partial<ExpectedError> | null)?.failureKind;
