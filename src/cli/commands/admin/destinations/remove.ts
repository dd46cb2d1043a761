import { AdminCommand } from '../../../base/admin-command.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';
import { idArg } from './list.js';

export default class DestinationsRemove extends AdminCommand {
  static override summary = 'Remove a destination, its address and what waits for it';
  static override examples = ['<%= config.bin %> admin destinations remove 5f0c…'];
  static override args = idArg;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(DestinationsRemove);
    const { removeDestination } = await import('../../../../server/alerts/delivery/destinations.js');
    const [removed] = await this.withDatabase(flags, (db) => removeDestination(db, { id: args.id }));
    if (!removed) throw new CommandError('not_found', `No destination ${args.id} exists.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, removed: true })}\n`);
    else await print(`Destination ${args.id} is removed.\n`);
  }
}
