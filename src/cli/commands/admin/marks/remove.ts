import { Args } from '@oclif/core';
import { AdminCommand } from '../../../base/admin-command.js';
import { CommandError } from '../../../command-error.js';
import { print } from '../../../render/terminal.js';
import { brandFlag, onlyBrand } from './add.js';

export default class MarksRemove extends AdminCommand {
  static override summary = 'Remove a mark; no face shows it any more';
  static override description =
    'A mark that svc.toml states comes back with the next `svc admin apply`: remove it there.';
  static override examples = ['<%= config.bin %> admin marks remove guide-2026-11-12'];
  static override args = { id: Args.string({ description: 'Mark id', required: true, ignoreStdin: true }) };
  static override flags = { brand: brandFlag };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(MarksRemove);
    const { removeMarks } = await import('../../../../server/intake/dataset/marks.js');
    const removed = await this.withDatabase(flags, async (db) =>
      removeMarks(db, await onlyBrand(db, flags.brand), [args.id]),
    );
    if (removed.length === 0) throw new CommandError('not_found', `No mark ${args.id} exists.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, removed: true })}\n`);
    else await print(`Mark ${args.id} is removed.\n`);
  }
}
