import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { printable } from '../../contract/printable.js';
import type { Column } from './view.js';

export const NOT_MEASURED = '—';
const UNCERTAIN = '~';

/** The text of a column for a row, and the mark in it. */
export interface Cell {
  readonly text: string;
  readonly mark?: 'absent' | 'uncertain';
}

/** The column's text of a row with its mark: `—` for null, `~` before an uncertain value. */
export function cellOf<Row>(column: Column<Row>, row: Row, uncertain: boolean): Cell {
  const text = column.text(row);
  if (text === null) return { text: NOT_MEASURED, mark: 'absent' };
  if (!uncertain || !column.measured) return { text: printable(text) };
  return { text: UNCERTAIN + printable(text), mark: 'uncertain' };
}

/** Collects the marks of the printed cells, and explains each kind once. */
export class Footnotes {
  readonly #absences = new Set<string>();
  readonly #explanations = new Set<string>();
  #uncertain = false;

  /** Records the mark of a cell that is printed. */
  add({ absence }: { readonly absence?: string }, { mark }: Cell): void {
    if (mark === 'absent') this.#absences.add(absence ?? 'not measured');
    else if (mark === 'uncertain') this.#uncertain = true;
  }

  /** Records what a printed cell shows. */
  explain(explanations: readonly string[] = []): void {
    for (const each of explanations) this.#explanations.add(each);
  }

  get lines(): string[] {
    return [
      ...(this.#absences.size > 0 ? [`${NOT_MEASURED} ${[...this.#absences].join(' or ')}`] : []),
      ...(this.#uncertain
        ? [`${UNCERTAIN} fewer than ${LOW_CONFIDENCE_BELOW_RUNS} answers: low confidence`]
        : []),
      ...this.#explanations,
    ];
  }
}
