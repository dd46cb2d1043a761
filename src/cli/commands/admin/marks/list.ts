import { AdminCommand } from '../../../base/admin-command.js';
import { text } from '../../../render/view.js';
import { marksView } from '../../marks.js';

export default class MarksList extends AdminCommand {
  static override summary = 'List the marks of every brand: what was done, and for which prompts';
  static override examples = ['<%= config.bin %> admin marks list'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(MarksList);
    const { listMarks } = await import('../../../../server/intake/dataset/marks.js');
    const marks = await this.withDatabase(flags, (db) => listMarks(db, {}));
    type Row = (typeof marks)[number];
    const brand = text<Row>('brand', (row) => row.brand);
    await this.show<Row>(flags, { marks }, { ...marksView, columns: [brand, ...marksView.columns] }, marks);
  }
}
