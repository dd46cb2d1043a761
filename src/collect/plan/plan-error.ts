/** One fault of a plan file. */
export interface PlanFault {
  /** 1-based. */
  readonly line: number;
  /** As `target[0].engine`; null: the fault is of the line itself. */
  readonly field: string | null;
  readonly message: string;
}

/** The plan cannot be used. The message lists every fault, by line. */
export class PlanError extends Error {
  readonly faults: readonly PlanFault[];

  constructor(file: string, faults: readonly PlanFault[]) {
    const sorted = [...faults].sort((a, b) => a.line - b.line);
    const lines = sorted.map(({ line, field, message }) =>
      field === null ? `line ${line}: ${message}` : `line ${line}: ${field}: ${message}`,
    );
    super([`${file} cannot be used:`, ...lines].join('\n'));
    this.name = 'PlanError';
    this.faults = sorted;
  }
}
