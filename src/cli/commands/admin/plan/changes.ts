import type { PlanChangeRow } from '../../../../server/intake/plan-settings.js';
import { AdminCommand } from '../../../base/admin-command.js';
import { type TableView, text } from '../../../render/view.js';
import { brandFlag, onlyBrand } from '../marks/add.js';

const MOST = 100;

const view: TableView<PlanChangeRow> = {
  noun: 'changes',
  columns: [
    text('at', (row) => row.at.toISOString().slice(0, 16).replace('T', ' ')),
    text('what', (row) => row.words, { room: 'filling' }),
    text('by', (row) => row.keyName ?? row.keyId ?? 'command'),
  ],
};

export default class PlanChanges extends AdminCommand {
  static override summary = 'List what was changed in the plan of a brand, the newest first';
  static override description =
    `The last ${MOST} changes by commands and on the page; what is edited in the file itself is not among them.`;
  static override examples = ['<%= config.bin %> admin plan changes'];
  static override flags = { brand: brandFlag };

  override async run(): Promise<void> {
    const { flags } = await this.parse(PlanChanges);
    const { planChanges } = await import('../../../../server/intake/plan-settings.js');
    const { brandKeyOf } = await import('../../../../server/answers/collections.js');
    const rows = await this.withDatabase(flags, async (db) => {
      const [brand] = await brandKeyOf(db, { id: await onlyBrand(db, flags.brand) });
      return brand ? planChanges(db, { brandKey: brand.brandKey, most: MOST }) : [];
    });
    const changes = rows.map(({ at, words, keyId, keyName }) => ({
      at: at.toISOString(),
      what: words,
      key_id: keyId,
      key_name: keyName,
    }));
    await this.show(flags, { changes }, view, rows);
  }
}
