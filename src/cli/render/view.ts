/** How the rows of a read are shown in tables. The formats for programs use the fields of the contract instead. */

import { engineLabel, fieldHead, label, valueLabel } from '../../contract/glossary.js';
import { LOW_CONFIDENCE_BELOW_RUNS } from '../../contract/limits.js';
import { printable } from '../../contract/printable.js';
import { withoutNull } from '../../contract/rows.js';
import type { Infer, ObjectSchema, Schema } from '../../contract/schema.js';
import { grouped } from '../../contract/wording.js';

export { counted, grouped, usd } from '../../contract/wording.js';

/** One column of a table, or one line of a scorecard. */
export interface Column<Row> {
  readonly head: string;
  /** The scale of its numbers, shown after the head: `0–100`, `%`. */
  readonly scale?: string;
  /** The printed text; null means not measured, or the meaning that `absence` states. */
  readonly text: (row: Row) => string | null;
  /** The text without its interval, for a terminal that is too narrow for all columns. */
  readonly brief?: (row: Row) => string | null;
  /** The meaning of null if it is not “not measured”: `not stated`. */
  readonly absence?: string;
  readonly align: 'left' | 'right';
  /** Explanations of what the cell shows for the row, printed once below. */
  readonly explains?: (row: Row) => readonly string[];
  /** Whether the value is computed from sampled answers, so that few answers make it uncertain. */
  readonly measured?: boolean;
  /**
   * If space is short, `flexible` texts are shortened to a readable width, then `spare` columns are left out. A `filling` text has
   * what all others leave, if it is readable in that.
   */
  readonly room?: 'flexible' | 'spare' | 'filling';
  /** The address of the link, on terminals that support links. */
  readonly link?: (row: Row) => string | null;
}

export interface TableView<Row> {
  /** The name of the rows, for `No sources.` */
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  /** Whether the measured values of the row come from too few runs; they are marked with `~`. */
  readonly uncertain?: (row: Row) => boolean;
  /** Whether it is the row of the brand itself, which is highlighted. */
  readonly own?: (row: Row) => boolean;
  /** The meaning of a mark that only this table has. */
  readonly legend?: string;
  /** Whether rows become lines, one per column, where the terminal is too narrow for all columns. */
  readonly stacks?: boolean;
  /** Rows as headings and lines that wrap, instead of lines of a table: their main content is a sentence. */
  readonly items?: (
    rows: readonly Row[],
  ) => readonly { readonly heading: string; readonly lines: readonly string[] }[];
  /** Whether the row needs action by the user, and is highlighted in red. */
  readonly alarming?: (row: Row) => boolean;
}

/** One object as a scorecard: a title, a line per column, and sentences below. */
export interface ScorecardView<Data> {
  readonly title: (data: Data) => string;
  /** A line below the title; null: none. */
  readonly subtitle?: (data: Data) => string | null;
  readonly columns: readonly Column<Data>[];
  /** The columns next to values, by the head of their line: whether the value moved. */
  readonly changes?: readonly Column<Data>[];
  readonly uncertain?: (data: Data) => boolean;
  readonly sentences: (data: Data) => readonly string[];
}

/** The columns with their brief texts; undefined: none has one. */
export const briefly = <Row>(columns: readonly Column<Row>[]): Column<Row>[] | undefined =>
  columns.some(({ brief }) => brief)
    ? columns.map(({ brief, explains, ...column }) => ({
        ...column,
        ...(brief ? { text: brief } : explains && { explains }),
      }))
    : undefined;
export const NO_INTERVALS = 'not shown at this width: 95 % intervals';

/** How a value is written. */
interface Written extends Pick<Column<never>, 'align' | 'scale' | 'measured' | 'room'> {
  readonly text: (value: never) => string;
  /** The address of a link. */
  readonly link?: (value: never) => string;
}

const decimals =
  (factor = 1) =>
  (value: number): string =>
    (value * factor).toFixed(1);

const formats = {
  text: { align: 'left', text: String },
  yesNo: { align: 'left', text: (value: boolean) => (value ? 'yes' : 'no') },
  count: { align: 'right', text: (value: number) => grouped(value) },
  /** A score from 0 to 100. */
  score: { align: 'right', measured: true, scale: '0–100', text: decimals() },
  /** A fraction from 0 to 1, shown as a percentage. */
  percent: { align: 'right', measured: true, scale: '%', text: decimals(100) },
  /** A mean 1-based rank. */
  position: { align: 'right', measured: true, text: decimals() },
  /** The UTC day of a timestamp. */
  day: { align: 'left', room: 'spare', text: (stamp: string) => stamp.slice(0, 10) },
  moment: { align: 'left', text: (stamp: string) => moment(stamp) },
  /** The address of a page, linked, without scheme and `www.`. */
  page: {
    align: 'left',
    room: 'flexible',
    text: (url: string) => url.replace(/^https?:\/\/(www\.)?/, ''),
    link: (url: string) => url,
  },
} as const satisfies { readonly [name: string]: Written };

type FormatName = keyof typeof formats;

/** The format of the values that a schema describes. */
function formatOf(schema: Schema): FormatName {
  if (schema.kind === 'boolean') return 'yesNo';
  if (schema.kind === 'integer') return 'count';
  if (schema.kind !== 'number') return 'text';
  return schema.maximum === 1 ? 'percent' : schema.maximum === 100 ? 'score' : 'position';
}

/** A column of values that no field of a read holds. */
function column<Row>(
  head: string,
  pick: (row: Row) => unknown,
  as: FormatName,
  more: Partial<Column<Row>> = {},
): Column<Row> {
  const { text, link, ...format }: Written = formats[as];
  return {
    head,
    text: (row) => {
      const value = pick(row) ?? null;
      return value === null ? null : text(value as never);
    },
    ...format,
    ...(link && { link: (row: Row) => link(pick(row) as never) }),
    ...more,
  };
}

export const text = <Row>(
  head: string,
  pick: (row: Row) => string | null,
  more?: Partial<Column<Row>>,
): Column<Row> => column(head, pick, 'text', more);

export const count = <Row>(
  head: string,
  pick: (row: Row) => number | null,
  more?: Partial<Column<Row>>,
): Column<Row> => column(head, pick, 'count', more);

type Rows = ObjectSchema<{ readonly [field: string]: unknown }>;

/**
 * The columns of rows with this schema. The field states the head and the format; `more` may have others, and `as` names another
 * format.
 */
export const columnsOf =
  <S extends Rows>({ fields }: S) =>
  <F extends keyof Infer<S> & keyof S['fields'] & string, Row extends Pick<Infer<S>, F> = Pick<Infer<S>, F>>(
    field: F,
    { as, ...more }: Partial<Column<Row>> & { readonly as?: FormatName } = {},
  ): Column<Row> => {
    const schema = fields[field] as Schema;
    const pick = (row: Row) => (row as { readonly [name: string]: unknown })[field];
    return column(fieldHead(field, schema), pick, as ?? formatOf(withoutNull(schema)), more);
  };

/** Formats an ISO timestamp in UTC as `2026-11-20 14:22 UTC`; any other text is returned unchanged. */
export const moment = (stamp: string): string =>
  stamp.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:[\d.]+)?Z$/, '$1 $2 UTC');

/** The head of a column with its scale. Some heads are texts from the API, and made printable. */
export const headOf = ({ head, scale }: Column<never>): string =>
  scale === undefined ? printable(head) : `${printable(head)} (${scale})`;

// Columns that several reads have.

/** The date column; days are days of UTC in every read. */
export const date = <Row extends { readonly date: string }>(): Column<Row> =>
  text('date', (row) => row.date, { scale: 'UTC' });

/** The brand or a competitor. */
export const entity: Column<{ readonly name: string; readonly is_brand: boolean }> = text(
  label('name'),
  ({ name, is_brand }) => name + (is_brand ? ' (brand)' : ''),
  { room: 'flexible' },
);

/** The kind of a cited domain, and whether the workspace set it. */
export const kind: Column<{ readonly classification: string; readonly overridden: boolean }> = text(
  label('kind'),
  (row) => valueLabel('kind', row.classification) + (row.overridden ? ' (set by you)' : ''),
  { room: 'flexible' },
);

export const page: Column<{ readonly url: string }> = column(label('page'), ({ url }) => url, 'page');

export const engine = <Row extends { readonly engine: string }>(): Column<Row> =>
  text(label('engine'), (row) => engineLabel(row.engine));

export const engines: Column<{ readonly engines: readonly string[] }> = text(
  'engines',
  (row) => row.engines.map(engineLabel).join(', '),
  { room: 'spare' },
);

const NOT_MEASURED = '—';
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

/** Bytes in MiB, with one digit. */
export const mib = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

/** Formats milliseconds: `0.6 s`, `28 s`, `1 min 48 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 59_950) return `${+(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.round(seconds / 60);
  if (minutes >= 60) return parts([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min']);
  return parts([Math.floor(seconds / 60), 'min'], [seconds % 60, 's']);
}

const parts = (...units: readonly (readonly [number, string])[]): string =>
  units
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
