import { AdminCommand } from '../../../base/admin-command.js';
import { type TableView, text, yesNo } from '../../../render/view.js';

interface Row {
  workspace: string;
  id: string;
  name: string;
  domain: string;
  archived_at: Date | null;
  collected: boolean;
  names_since: string | null;
  searched_since: string | null;
}

const view: TableView<Row> = {
  noun: 'brands',
  columns: [
    text('workspace', (row) => row.workspace),
    text('id', (row) => row.id),
    text('name', (row) => row.name, { room: 'flexible' }),
    text('domain', (row) => row.domain, { room: 'flexible' }),
    yesNo('collected', (row) => row.collected),
    text('names', namesOf),
    text('archived', (row) => row.archived_at?.toISOString().slice(0, 10) ?? ''),
  ],
};

/** Since when answers were searched for all names. */
function namesOf({ names_since: complete, searched_since: reached }: Row): string {
  if (reached !== null) return `searched back to ${reached}`;
  return complete === null ? 'all' : `all since ${complete}`;
}

export default class BrandsList extends AdminCommand {
  static override summary = 'List every brand of every workspace';
  static override examples = ['<%= config.bin %> admin brands list'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(BrandsList);
    const { listBrands } = await import('../../../../server/accounts/brands.js');
    const brands = await this.withDatabase(flags, (db) => listBrands(db, {}));
    await this.show(flags, { brands }, view, brands);
  }
}
