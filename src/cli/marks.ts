import { LOW_CONFIDENCE_BELOW_RUNS } from '../contract/limits.js';
import type { Column } from './view.js';

export const NOT_MEASURED = '—';
const UNCERTAIN = '~';

/** What the printed marks mean; each is explained once it was used. */
export class Marks {
  readonly #absences = new Set<string>();
  #uncertain = false;

  /** The column's text of a row with its marks: `—` for null, `~` before an uncertain value. */
  cell<Row>(column: Column<Row>, row: Row, uncertain: boolean): string {
    const text = column.text(row);
    if (text === null) {
      this.#absences.add(column.absence ?? 'not measured');
      return NOT_MEASURED;
    }
    if (!uncertain || !column.measured) return printable(text);
    this.#uncertain = true;
    return UNCERTAIN + printable(text);
  }

  get footnotes(): string[] {
    return [
      ...(this.#absences.size > 0 ? [`${NOT_MEASURED} ${[...this.#absences].join(' or ')}`] : []),
      ...(this.#uncertain
        ? [`${UNCERTAIN} fewer than ${LOW_CONFIDENCE_BELOW_RUNS} runs: low confidence`]
        : []),
    ];
  }
}

/**
 * One line without control characters and without marks that turn the direction of writing: answers and page titles come
 * from strangers, and a terminal obeys what it is sent.
 */
export const printable = (text: string): string =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
