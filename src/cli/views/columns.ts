/** Columns that several reads have. */
import { type Column, words } from '../view.js';

/** The address of a page, linked, without what every address begins with. */
export const page = <Row>(head: string, url: (row: Row) => string): Column<Row> =>
  words(head, (row) => url(row).replace(/^https?:\/\/(www\.)?/, ''), { room: 'flexible', link: url });

export const engines: Column<{ readonly engines: readonly string[] }> = words(
  'engines',
  (row) => row.engines.join(', '),
  { room: 'spare' },
);

/** The UTC day of a stamp; `absence` says what null means. */
export const day = <Row>(head: string, stamp: (row: Row) => string | null, absence: string): Column<Row> =>
  words(head, (row) => stamp(row)?.slice(0, 10) ?? null, { absence, room: 'spare' });
