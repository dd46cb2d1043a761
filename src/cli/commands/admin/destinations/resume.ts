import { AdminCommand } from '../../../base/admin-command.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';
import { idArg } from './list.js';

export default class DestinationsResume extends AdminCommand {
  static override summary = 'Resume a paused destination: what waited when it was paused is delivered';
  static override examples = ['<%= config.bin %> admin destinations resume 5f0c…'];
  static override args = idArg;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(DestinationsResume);
    const { resumeDestination } = await import('../../../../server/alerts/delivery/destinations.js');
    const [resumed] = await this.withDatabase(flags, (db) => resumeDestination(db, { id: args.id }));
    if (!resumed) throw new CommandError('not_found', `No paused destination ${args.id} exists.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, paused_at: null })}\n`);
    else await print(`Destination ${args.id} is resumed.\n`);
  }
}
