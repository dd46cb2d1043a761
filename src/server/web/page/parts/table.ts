/** The one list of the page: rows and columns, sorted by links, with a rail and a change where values have them. */
import { html, type Markup } from '../html.js';

export interface Column<Row> {
  readonly head: Markup;
  /** How it looks: `number` ends at the right, `minor` is left out on telephones, `gauge` has a rail. */
  readonly kind?: 'number' | 'minor' | 'number minor' | 'gauge' | 'words';
  /** The name by which the list is sorted by it. */
  readonly sort?: string | undefined;
  readonly cell: (row: Row, at: number) => Markup;
}

/** The column that a list is sorted by, and the address of the list sorted by another one. */
export interface Sorting {
  readonly by: string;
  readonly to: (name: string) => string;
}

export interface Table<Row> {
  readonly label: string;
  /** The first one has the name of the row. Null: not here. */
  readonly columns: readonly (Column<Row> | null)[];
  readonly rows: readonly Row[];
  readonly isOwn?: (row: Row) => boolean;
  readonly sorting?: Sorting | undefined;
  readonly source?: string | undefined;
  /** Rows of a second read, below a heading of their own. */
  readonly apart?: { readonly title: string; readonly rows: readonly Row[]; readonly source: string } | null;
}

export function table<Row>({ label, columns, rows, isOwn, sorting, source, apart }: Table<Row>): Markup {
  const [first, ...others] = columns.filter((column) => column !== null);
  const head = ({ head: words, kind, sort }: Column<Row>) =>
    sorting === undefined || sort === undefined
      ? html`<th scope="col" class=${kind}>${words}</th>`
      : html`<th scope="col" class=${kind} aria-sort=${sorting.by === sort ? 'descending' : undefined}><a href=${sorting.to(sort)}>${words}</a></th>`;
  const line = (row: Row, at: number) => html`<tr class=${isOwn?.(row) ? 'own' : undefined}>
    <th scope="row">${first!.cell(row, at)}</th>
    ${others.map(({ kind, cell }) => html`<td class=${kind}>${cell(row, at)}</td>`)}
  </tr>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${label} data-source=${source}>
    <table class="list">
      <thead><tr>${[first!, ...others].map(head)}</tr></thead>
      <tbody>${rows.map(line)}</tbody>
      ${apart && html`<tbody data-source=${apart.source}><tr class="apart"><th scope="rowgroup" colspan=${1 + others.length}>${apart.title}</th></tr>${apart.rows.map(line)}</tbody>`}
    </table>
  </div>`;
}

/** Where a value stands, and how far chance alone may move it. */
export interface RailValue {
  readonly now: number | null;
  readonly before: number | null;
  readonly range: readonly [number, number] | null;
}

const round = (value: number): number => Math.round(10 * value) / 10;

/** Decoration, since the numbers are next to it. @param top The end of the rail; it begins at 0. */
export function rail({ now, before, range }: RailValue, top: number): Markup {
  if (now === null) return null;
  const at = (value: number): number => round((100 * Math.min(Math.max(value, 0), top)) / top);
  const mark = (kind: string, value: number) =>
    html`<rect class=${kind} x=${Math.min(at(value), 98.8)} width="1.2" height="10" />`;
  return html`<svg class="rail" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    ${range === null ? null : html`<rect class="range" x=${at(range[0])} width=${round(Math.max(0, at(range[1]) - at(range[0])))} height="10" />`}
    ${before === null ? null : mark('was', before)}${mark('is', now)}
  </svg>`;
}
