/** Columns that several reads have. */
import { engineLabel, label, valueLabel } from '../../contract/glossary.js';
import { type Column, text } from './view.js';

/** The date column; days are days of UTC in every read. */
export const date = <Row extends { readonly date: string }>(): Column<Row> =>
  text('date', (row) => row.date, { scale: 'UTC' });

/** The kind of a cited domain, and whether the workspace set it. */
export const kind: Column<{ readonly classification: string; readonly overridden: boolean }> = text(
  label('kind'),
  (row) => valueLabel('kind', row.classification) + (row.overridden ? ' (set by you)' : ''),
  { room: 'flexible' },
);

/** The address of a page, linked, without scheme and `www.`. */
export const page = <Row>(head: string, url: (row: Row) => string): Column<Row> =>
  text(head, (row) => url(row).replace(/^https?:\/\/(www\.)?/, ''), { room: 'flexible', link: url });

/** One engine. */
export const engine = <Row extends { readonly engine: string }>(): Column<Row> =>
  text(label('engine'), (row) => engineLabel(row.engine));

/** The engines of a row. */
export const engines: Column<{ readonly engines: readonly string[] }> = text(
  'engines',
  (row) => row.engines.map(engineLabel).join(', '),
  { room: 'spare' },
);

/** The UTC day of a timestamp; `absence` states the meaning of null. */
export const day = <Row>(head: string, stamp: (row: Row) => string | null, absence: string): Column<Row> =>
  text(head, (row) => stamp(row)?.slice(0, 10) ?? null, { absence, room: 'spare' });
