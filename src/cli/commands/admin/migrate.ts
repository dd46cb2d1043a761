import { AdminCommand } from '../../base/admin-command.js';
import { print } from '../../render/terminal.js';

export default class Migrate extends AdminCommand {
  static override summary = 'Migrate the database to the schema of this version';
  static override examples = ['<%= config.bin %> admin migrate --database-url postgres://localhost/svc'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(Migrate);
    const { migrate } = await import('../../../server/database/database.js');
    const applied = await this.withDatabase(flags, (db) => migrate(db), { migrated: false });
    if (flags.json) await print(`${JSON.stringify({ applied })}\n`);
    else
      await print(applied.length === 0 ? 'The schema is up to date.\n' : `Applied: ${applied.join(', ')}\n`);
  }
}
