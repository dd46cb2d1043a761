import { rowsCommand } from '../../../base/rows-command.js';
import { count, text } from '../../../render/view.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly brands: number;
}

export default rowsCommand<Row>({
  summary: 'List the workspaces',
  rows: async (db) => {
    const { listWorkspaces } = await import('../../../../server/accounts/keys.js');
    return listWorkspaces(db, {});
  },
  payload: (workspaces) => ({ workspaces }),
  view: {
    noun: 'workspaces',
    columns: [
      text('id', (row) => row.id),
      text('name', (row) => row.name, { room: 'flexible' }),
      text('plan', (row) => row.plan),
      count('brands', (row) => row.brands),
    ],
  },
});
