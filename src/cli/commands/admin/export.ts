import { AdminCommand } from '../../base/admin-command.js';
import { print } from '../../render/terminal.js';

/** Lines written at once. */
const LINES = 500;

export default class Export extends AdminCommand {
  static override summary = 'Write the whole dataset to standard output, in the format that import reads';
  static override description = 'API keys are never exported.';
  static override examples = ['<%= config.bin %> admin export | gzip > dataset.ndjson.gz'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(Export);
    const { exportDataset } = await import('../../../server/dataset/export.js');
    await this.withDatabase(
      flags,
      async (db) => {
        let lines: string[] = [];
        for await (const record of exportDataset(db)) {
          if (lines.push(`${JSON.stringify(record)}\n`) < LINES) continue;
          await print(lines.join(''));
          lines = [];
        }
        await print(lines.join(''));
      },
      { use: 'snapshot' },
    );
  }
}
