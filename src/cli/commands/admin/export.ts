import { string } from '@oclif/core/flags';
import { AdminCommand } from '../../base/admin-command.js';
import { CommandError } from '../../command-error.js';
import { print } from '../../render/terminal.js';

/** Lines written at once. */
const LINES = 500;

export default class Export extends AdminCommand {
  static override summary =
    'Write the dataset, or one brand of it, to standard output, in the format that import reads';
  static override description = 'API keys are never exported.';
  static override examples = [
    '<%= config.bin %> admin export | gzip > dataset.ndjson.gz',
    '<%= config.bin %> admin export --brand acme | gzip > acme.ndjson.gz',
  ];
  static override flags = {
    brand: string({ description: 'Only this brand, with its workspace', helpValue: 'ID' }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Export);
    const { exportBrand, exportDataset } = await import('../../../server/intake/dataset/export.js');
    await this.withDatabase(
      flags,
      async (db) => {
        let lines: string[] = [];
        let isNone = true;
        const { brand } = flags;
        for await (const record of brand === undefined ? exportDataset(db) : exportBrand(db, brand)) {
          isNone = false;
          if (lines.push(`${JSON.stringify(record)}\n`) < LINES) continue;
          await print(lines.join(''));
          lines = [];
        }
        if (brand !== undefined && isNone)
          throw new CommandError('not_found', `Unknown brand: ${brand} (--brand).`, {
            hint: '`svc admin brands list` lists the brands of the database.',
          });
        await print(lines.join(''));
      },
      { use: 'snapshot' },
    );
  }
}
