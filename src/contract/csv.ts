/** Answers of reads as CSV. */
import { mainRowsPath } from './main-rows.js';
import type { Read } from './read.js';

/** The media types of answers of reads; `Accept` chooses. */
export const mediaTypes = { json: 'application/json', csv: 'text/csv' } as const;

/** The lines of the CSV of a read, for documents. */
export function csvRows(read: Pick<Read, 'mainRows' | 'rows' | 'response'>): string {
  const path = mainRowsPath(read);
  if (path === '') return 'one line below the header, with every field';
  const beside = read.mainRows?.with ?? [];
  const begin = beside.map((name) => `\`${name}\``).join(', ');
  const around = beside.length > 0 ? `, which begins with ${begin} of the element around it` : '';
  return `a line per element of \`${path}\`${around}`;
}
