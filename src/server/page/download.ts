/** The numbers of the chart as files, for a signed-in user: the same read as JSON and CSV. */
import { stringify } from 'csv-stringify/sync';
import type { BodyOf } from '../../contract/registry.js';
import { safeText } from '../../rows/csv.js';

/** A row for each entity and day. */
export function historyCsv({ series }: BodyOf<'history'>): string {
  const rows = series.flatMap(({ id, name, points }) =>
    points.map(({ date, value, sample_size }) => [date, id, name, value, sample_size].map(cell)),
  );
  return stringify([['date', 'id', 'name', 'value', 'sample_size'], ...rows]);
}

const cell = (value: string | number | null): string | number | null =>
  typeof value === 'string' ? safeText(value) : value;
