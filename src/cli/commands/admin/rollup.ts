import type { RebuiltBrand } from '../../../server/intake/dataset/rollups/rebuild.js';
import { AdminCommand } from '../../base/admin-command.js';
import { currentTime } from '../../clock.js';
import { searchStoredAnswers } from '../../collect/search-names.js';
import { RollupBar } from '../../progress/bars.js';
import { count, type TableView, text } from '../../render/view.js';

const view: TableView<RebuiltBrand> = {
  noun: 'brands',
  columns: [text('brand', (row) => row.id), count('days rebuilt', (row) => row.days)],
};

export default class Rollup extends AdminCommand {
  static override summary = 'Rebuild every roll-up and the daily statistics from the runs';
  static override description =
    'Imports keep both up to date. Run this after an upgrade, or if you doubt that they are right; it is always safe. It also searches stored answers for names that were added, which a server does by itself.';
  static override examples = ['<%= config.bin %> admin rollup'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(Rollup);
    const { rebuildAll } = await import('../../../server/intake/dataset/rollups/rebuild.js');
    const bar = new RollupBar(!flags.json);
    const rebuilt = await this.withDatabase(
      flags,
      async (db) => {
        const brands: RebuiltBrand[] = [];
        await bar.show();
        try {
          for await (const brand of rebuildAll(db, currentTime(), (progress) => bar.update(progress)))
            brands.push(brand);
        } finally {
          bar.stop();
        }
        await searchStoredAnswers(db, { now: currentTime(), isShown: !flags.json });
        return brands;
      },
      { use: 'copy' },
    );
    await this.show(flags, { brands: rebuilt }, view, rebuilt);
  }
}
