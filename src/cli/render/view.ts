/** How rows of a read are shown to people. Machine formats take the contract's own fields instead. */
import { printable } from './printable.js';

/** One column of a table, or one line of a scorecard. */
export interface Column<Row> {
  readonly head: string;
  /** The scale of its numbers, shown behind the head: `0–100`, `%`. */
  readonly scale?: string;
  /** What is printed; null means not measured, or what `absence` says. */
  readonly text: (row: Row) => string | null;
  /** What null means where nothing is measured: `not stated`. */
  readonly absence?: string;
  /** Numbers stand right. */
  readonly align: 'left' | 'right';
  /** Whether it rests on sampled answers, so that few of them make it uncertain. */
  readonly measured?: boolean;
  /** `flexible` texts are shortened where space is short; `spare` columns are left out before that hurts. */
  readonly room?: 'flexible' | 'spare';
  /** Where a terminal that can links to. */
  readonly link?: (row: Row) => string | null;
}

/** A table of rows. */
export interface TableView<Row> {
  /** What the rows are, for `No sources.` */
  readonly noun: string;
  readonly columns: readonly Column<Row>[];
  /** Whether the row's measured values rest on too few runs; they are marked with `~`. */
  readonly uncertain?: (row: Row) => boolean;
  /** The brand's own row, which stands out. */
  readonly own?: (row: Row) => boolean;
  /** What a mark of the table's own means. */
  readonly legend?: string;
  /** Rows that ask for something to be done. */
  readonly alarming?: (row: Row) => boolean;
}

/** One object as a scorecard: a title, a line per column, and words below. */
export interface ScorecardView<Data> {
  readonly title: (data: Data) => string;
  /** The data with null where the contract’s 0 stands for not measured. */
  readonly shown: (data: Data) => Data;
  readonly columns: readonly Column<Data>[];
  readonly uncertain?: (data: Data) => boolean;
  readonly words: (data: Data) => readonly string[];
}

type Pick<Row, Value> = (row: Row) => Value;
type Placing<Row> = Omit<Partial<Column<Row>>, 'head' | 'text' | 'align'>;

/** A text; an empty one prints as nothing. */
export const words = <Row>(
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

/** `2026-11-20 14:22 UTC` of an ISO stamp in UTC; what is none is left as it is. */
export const moment = (stamp: string): string =>
  stamp.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:[\d.]+)?Z$/, '$1 $2 UTC');

/** A column's head with its scale; some heads are words of others. */
export const headOf = ({ head, scale }: Column<never>): string =>
  scale === undefined ? printable(head) : `${printable(head)} (${scale})`;
