import { Args } from '@oclif/core';
import { AdminCommand } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';

export default class BrandsArchive extends AdminCommand {
  static override summary = 'Stop collection for a brand; it stays in the list and can be read';
  static override examples = ['<%= config.bin %> admin brands archive acme'];
  static override args = { id: Args.string({ description: 'Brand id', required: true, ignoreStdin: true }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(BrandsArchive);
    const { archiveBrand } = await import('../../../../server/accounts/brands.js');
    const brand = await this.withDatabase(flags, (db) => archiveBrand(db, args.id, currentTime()));
    if (!brand) throw new CommandError('not_found', `No brand ${args.id} exists.`);
    const { id, archivedAt } = brand;
    if (flags.json) await print(`${JSON.stringify({ id, archived_at: archivedAt })}\n`);
    else await print(`${id} is archived since ${archivedAt.toISOString()}.\n`);
  }
}
