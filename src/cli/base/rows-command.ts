import type { Knex } from 'knex';
import type { TableView } from '../render/view.js';
import { AdminCommand, type DatabaseFlags } from './admin-command.js';

interface RowsCommand<Row> {
  readonly summary: string;
  readonly rows: (db: Knex) => Promise<readonly Row[]>;
  readonly payload: (rows: readonly NoInfer<Row>[]) => object;
  readonly view: NoInfer<TableView<Row>>;
}

/** The command that lists rows of the database. */
export function rowsCommand<Row>({ summary, rows, payload, view }: RowsCommand<Row>): typeof AdminCommand {
  return class extends AdminCommand {
    static override summary = summary;
    static override examples = ['<%= config.bin %> <%= command.id %>'];

    override async run(): Promise<void> {
      const { flags } = (await this.parse(this.ctor)) as { flags: DatabaseFlags & { json?: boolean } };
      const found = await this.withDatabase(flags, rows);
      await this.show(flags, payload(found), view, found);
    }
  };
}
