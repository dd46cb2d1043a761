import { AdminCommand } from '../../../base/admin-command.js';
import { count, type TableView, text } from '../../../render/view.js';

interface Row {
  id: string;
  name: string;
  plan: string;
  brands: number;
}

const view: TableView<Row> = {
  noun: 'workspaces',
  columns: [
    text('id', (row) => row.id),
    text('name', (row) => row.name, { room: 'flexible' }),
    text('plan', (row) => row.plan),
    count('brands', (row) => row.brands),
  ],
};

export default class WorkspacesList extends AdminCommand {
  static override summary = 'List the workspaces';
  static override examples = ['<%= config.bin %> admin workspaces list'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(WorkspacesList);
    const { listWorkspaces } = await import('../../../../server/accounts/keys.js');
    const workspaces = await this.withDatabase(flags, (db) => listWorkspaces(db, {}));
    await this.show(flags, { workspaces }, view, workspaces);
  }
}
