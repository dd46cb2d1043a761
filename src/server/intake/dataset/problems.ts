/** The problems of a dataset file: the first twenty in order of line, and their total number. */
import { ExpectedError } from '../../../contract/failure.js';

export interface Problem {
  readonly line: number;
  /** The field; null: the problem is of the whole line. */
  readonly field: string | null;
  readonly message: string;
}

const SHOWN = 20;

/** Collects the problems of a file. */
export class Problems {
  #first: Problem[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The first twenty, by line. */
  get first(): readonly Problem[] {
    this.#trim();
    return this.#first;
  }

  add(line: number, field: string | null, message: string): void {
    this.#count++;
    this.#first.push({ line, field, message });
    if (this.#first.length > 10 * SHOWN) this.#trim();
  }

  /** Counts problems that are not listed. */
  addUnlisted(count: number): void {
    this.#count += count;
  }

  #trim(): void {
    this.#first.sort((a, b) => a.line - b.line);
    this.#first.length = Math.min(this.#first.length, SHOWN);
  }
}

/** The import failed and wrote nothing. The message lists the problems, one per line. */
export class DatasetError extends ExpectedError {
  readonly problems: readonly Problem[];
  readonly count: number;

  constructor(problems: Problems) {
    const lines = problems.first.map(describe);
    const more = problems.count - lines.length;
    if (more > 0) lines.push(`and ${more} more`);
    super('unexpected', lines.join('\n'));
    this.problems = problems.first;
    this.count = problems.count;
  }
}

const describe = ({ line, field, message }: Problem): string =>
  field === null ? `line ${line}: ${message}` : `line ${line}: ${field}: ${message}`;
