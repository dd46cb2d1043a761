/** How the rows of a read are shown in tables. The formats for programs use the fields of the contract instead. */
import { printable } from '../../contract/printable.js';

/** One column of a table, or one line of a scorecard. */
export interface Column<Row> {
  readonly head: string;
  /** The scale of its numbers, shown after the head: `0–100`, `%`. */
  readonly scale?: string;
  /** The printed text; null means not measured, or the meaning that `absence` states. */
  readonly text: (row: Row) => string | null;
  /** The meaning of null if it is not “not measured”: `not stated`. */
  readonly absence?: string;
  /** Numbers are aligned right. */
  readonly align: 'left' | 'right';
  /** Explanations of what the cell shows for the row, printed once below. */
  readonly explains?: (row: Row) => readonly string[];
  /** Whether the value is computed from sampled answers, so that few answers make it uncertain. */
  readonly measured?: boolean;
  /** If space is short, `flexible` texts are shortened to a readable width, then `spare` columns are left out. */
  readonly room?: 'flexible' | 'spare';
  /** The address of the link, on terminals that support links. */
  readonly link?: (row: Row) => string | null;
}

/** A table of rows. */
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
  /** Whether the row needs action by the user, and is highlighted in red. */
  readonly alarming?: (row: Row) => boolean;
}

/** One object as a scorecard: a title, a line per column, and sentences below. */
export interface ScorecardView<Data> {
  readonly title: (data: Data) => string;
  /** A line below the title; null: none. */
  readonly subtitle?: (data: Data) => string | null;
  readonly columns: readonly Column<Data>[];
  /** The columns beside values, by the head of their line: whether the value moved. */
  readonly changes?: readonly Column<Data>[];
  readonly uncertain?: (data: Data) => boolean;
  readonly sentences: (data: Data) => readonly string[];
}

type Pick<Row, Value> = (row: Row) => Value;
type Placing<Row> = Omit<Partial<Column<Row>>, 'head' | 'text' | 'align'>;

/** A text column. */
export const text = <Row>(
  head: string,
  pick: Pick<Row, string | null>,
  placing: Placing<Row> = {},
): Column<Row> => ({ head, text: pick, align: 'left', ...placing });

export const yesNo = <Row>(
  head: string,
  pick: Pick<Row, boolean | null>,
  placing: Placing<Row> = {},
): Column<Row> => ({ head, text: (row) => answered(pick(row)), align: 'left', ...placing });

/** A count, in groups of three digits. */
export const count = <Row>(
  head: string,
  pick: Pick<Row, number | null>,
  placing: Placing<Row> = {},
): Column<Row> => ({ head, text: (row) => grouped(pick(row)), align: 'right', ...placing });

/** A score from 0 to 100. */
export const score = <Row>(head: string, pick: Pick<Row, number | null>, digits = 1): Column<Row> =>
  measured(head, pick, digits, '0–100');

/** A fraction from 0 to 1, shown as a percentage. */
export const percent = <Row>(head: string, pick: Pick<Row, number | null>): Column<Row> =>
  measured(head, (row) => times100(pick(row)), 1, '%');

/** A mean 1-based rank. */
export const position = <Row>(head: string, pick: Pick<Row, number | null>): Column<Row> =>
  measured(head, pick, 1);

function measured<Row>(
  head: string,
  pick: Pick<Row, number | null>,
  digits: number,
  scale?: string,
): Column<Row> {
  const text = (row: Row) => pick(row)?.toFixed(digits) ?? null;
  return { head, text, align: 'right', measured: true, ...(scale !== undefined && { scale }) };
}

const answered = (yes: boolean | null): string | null => (yes === null ? null : yes ? 'yes' : 'no');
const times100 = (fraction: number | null): number | null => (fraction === null ? null : fraction * 100);

/** Digits in groups of three, from the right: `12,480`. */
export const grouped = (value: number | null): string | null =>
  value === null ? null : String(value).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');

/** `1 day`, `12,480 runs`. */
export const counted = (n: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(n)} ${n === 1 ? noun : plural}`;

/** Formats an ISO timestamp in UTC as `2026-11-20 14:22 UTC`; any other text is returned unchanged. */
export const moment = (stamp: string): string =>
  stamp.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:[\d.]+)?Z$/, '$1 $2 UTC');

/** The head of a column with its scale. Some heads are texts from the API, and made printable. */
export const headOf = ({ head, scale }: Column<never>): string =>
  scale === undefined ? printable(head) : `${printable(head)} (${scale})`;
