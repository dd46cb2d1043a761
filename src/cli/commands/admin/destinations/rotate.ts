import { string } from '@oclif/core/flags';
import { DELIVERY } from '../../../../contract/events.js';
import { AdminCommand } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { keyOfFile } from '../../../connection/settings.js';
import { print } from '../../../render/terminal.js';
import { moment } from '../../../render/view.js';
import { idArg } from './list.js';

export default class DestinationsRotate extends AdminCommand {
  static override summary =
    `Replace the secret of a webhook; the former one signs too for ${DELIVERY.rotationHours} hours`;
  static override examples = ['<%= config.bin %> admin destinations rotate 5f0c…'];
  static override args = idArg;
  static override flags = {
    'secret-file': string({
      description: 'File that has the new secret (whsec_…); default: one is made',
      helpValue: 'FILE',
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(DestinationsRotate);
    const given = keyOfFile(flags['secret-file'], 'secret-file');
    const { rotateSecret } = await import('../../../../server/alerts/delivery/destinations.js');
    const { secret, until } = await this.withDatabase(flags, (db) =>
      rotateSecret(db, { id: args.id, secret: given, now: currentTime() }),
    );
    if (flags.json) return print(`${JSON.stringify({ id: args.id, secret, former_signs_until: until })}\n`);
    this.note(
      `The former secret signs too until ${moment(until.toISOString())}. The new one is shown this once:`,
    );
    return print(`${secret}\n`);
  }
}
