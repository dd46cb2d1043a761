import { destinationKinds } from '../../../../contract/events.js';
import { AdminCommand, environmentWith, explained } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';
import { idArg } from './list.js';

export default class DestinationsTest extends AdminCommand {
  static override summary = 'Send a test message to a destination now, from this machine; it is not repeated';
  static override examples = ['<%= config.bin %> admin destinations test 5f0c…'];
  static override args = idArg;

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(DestinationsTest);
    const { readConfig } = await import('../../../../server/config.js');
    const { openDestination } = await import('../../../../server/delivery/destinations.js');
    const { sendTest } = await import('../../../../server/delivery/send.js');
    const { alertsAllowPrivate: allowPrivate, mail } = await explained(async () =>
      readConfig(environmentWith(flags)),
    );
    const { row, target } = await this.withDatabase(flags, (db) => openDestination(db, args.id));
    if (row.kind === 'email' && mail === null)
      throw new CommandError('usage', 'SMTP_URL and MAIL_FROM are not set in this environment.', {
        hint: '`test` sends from here, so give it those of the server.',
      });
    const outcome = await sendTest(row, target, { allowPrivate, mail }, currentTime());
    const failure =
      outcome.state === 'delivered' ? null : 'reason' in outcome ? outcome.reason : outcome.state;
    if (failure !== null)
      throw new CommandError('network', `${destinationKinds[row.kind].label} ${row.shown}: ${failure}.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, delivered: true })}\n`);
    else await print(`${destinationKinds[row.kind].label} ${row.shown} took the message.\n`);
  }
}
