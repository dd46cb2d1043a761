import { rowsCommand } from '../../../base/rows-command.js';
import { text } from '../../../render/view.js';

interface Row {
  readonly workspace: string;
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly archived_at: Date | null;
  readonly collected: boolean;
  readonly names_since: string | null;
  readonly searched_since: string | null;
}

export default rowsCommand<Row>({
  summary: 'List every brand of every workspace',
  rows: async (db) => {
    const { listBrands } = await import('../../../../server/accounts/brands.js');
    return listBrands(db, {});
  },
  payload: (brands) => ({ brands }),
  view: {
    noun: 'brands',
    columns: [
      text('workspace', (row) => row.workspace),
      text('id', (row) => row.id),
      text('name', (row) => row.name, { room: 'flexible' }),
      text('domain', (row) => row.domain, { room: 'flexible' }),
      text('collected', (row) => (row.collected ? 'yes' : 'no')),
      text('names', namesOf),
      text('archived', (row) => row.archived_at?.toISOString().slice(0, 10) ?? ''),
    ],
  },
});

/** Since when answers were searched for all names. */
function namesOf({ names_since: complete, searched_since: reached }: Row): string {
  if (reached !== null) return `searched back to ${reached}`;
  return complete === null ? 'all' : `all since ${complete}`;
}
