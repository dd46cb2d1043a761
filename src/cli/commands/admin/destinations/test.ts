import { option } from '@oclif/core/flags';
import { destinationKinds, eventTypeNames } from '../../../../contract/events.js';
import { AdminCommand, environmentWith, explained } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../command-error.js';
import { print } from '../../../render/terminal.js';
import { idArg } from './list.js';

/** A workspace may have no brand yet. */
const SAMPLE_BRAND = { id: 'acme', name: 'Acme', domain: 'acme.example' };

export default class DestinationsTest extends AdminCommand {
  static override summary = 'Send a test message to a destination now, from this machine; it is not repeated';
  static override examples = [
    '<%= config.bin %> admin destinations test 5f0c…',
    '<%= config.bin %> admin destinations test 5f0c… --event move.detected',
  ];
  static override args = idArg;
  static override flags = {
    event: option({
      options: eventTypeNames,
      description: 'Send a sample of this event, marked as one; default: a message that says that it works',
      helpValue: 'TYPE',
    })(),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(DestinationsTest);
    const { readConfig } = await import('../../../../server/run/config.js');
    const { brandOfDestination, noteTested, openDestination } = await import(
      '../../../../server/alerts/delivery/destinations.js'
    );
    const { sendTest } = await import('../../../../server/alerts/delivery/send.js');
    const { sampleEvent } = await import('../../../../server/alerts/moves/samples.js');
    const config = await explained(async () => readConfig(environmentWith(flags)));
    const { alertsAllowPrivate: allowPrivate, mail, publicUrl } = config;
    const now = currentTime();
    const { row, target, brand } = await this.withDatabase(flags, async (db) => ({
      ...(await openDestination(db, args.id)),
      brand: (await brandOfDestination(db, { id: args.id }))[0] ?? SAMPLE_BRAND,
    }));
    if (row.kind === 'email' && mail === null)
      throw new CommandError('usage', 'SMTP_URL and MAIL_FROM are not set in this environment.', {
        hint: '`test` sends from here, so give it those of the server.',
      });
    const sample = flags.event && sampleEvent(flags.event, brand, now);
    const outcome = await sendTest(row, target, {
      settings: { allowPrivate, mail, publicUrl },
      now,
      sample,
    });
    if (outcome.state === 'delivered')
      await this.withDatabase(flags, (db) => noteTested(db, { id: args.id, now }));
    const failure =
      outcome.state === 'delivered' ? null : 'reason' in outcome ? outcome.reason : outcome.state;
    if (failure !== null)
      throw new CommandError('network', `${destinationKinds[row.kind].label} ${row.shown}: ${failure}.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, delivered: true })}\n`);
    else await print(`${destinationKinds[row.kind].label} ${row.shown} took the message.\n`);
  }
}
