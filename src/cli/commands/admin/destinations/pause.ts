import { AdminCommand } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';
import { idArg } from './list.js';

export default class DestinationsPause extends AdminCommand {
  static override summary = 'Pause a destination: what happens until it is resumed is not delivered to it';
  static override examples = ['<%= config.bin %> admin destinations pause 5f0c…'];
  static override args = idArg;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(DestinationsPause);
    const { pauseDestination } = await import('../../../../server/alerts/delivery/destinations.js');
    const now = currentTime();
    const [paused] = await this.withDatabase(flags, (db) =>
      pauseDestination(db, { id: args.id, now, reason: null }),
    );
    if (!paused) throw new CommandError('not_found', `No destination ${args.id} exists that is not paused.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, paused_at: now })}\n`);
    else await print(`Destination ${args.id} is paused.\n`);
  }
}
