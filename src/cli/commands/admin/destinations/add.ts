import { option, string } from '@oclif/core/flags';
import {
  alertTypes,
  destinationKindNames,
  destinationKinds,
  eventTypeNames,
} from '../../../../contract/events.js';
import { AdminCommand, environmentWith, explained } from '../../../base/admin-command.js';
import { readSecret } from '../../../base/prompt.js';
import { currentTime } from '../../../clock.js';
import { keyOfFile } from '../../../connection/settings.js';
import { print } from '../../../render/terminal.js';

const addresses = destinationKindNames.map((kind) => `${kind}: ${destinationKinds[kind].address}`);
const others = eventTypeNames.filter((type) => !alertTypes.includes(type));

export default class DestinationsAdd extends AdminCommand {
  static override summary = 'Add a destination of events; the secret of a webhook is shown only now';
  static override description =
    `Asks for the address without showing it, or reads it from standard input (${addresses.join('; ')}). ` +
    'Addresses and secrets are never taken from an argument, where other users of the machine could see them, and are ' +
    'sealed in the database.';
  static override examples = [
    '<%= config.bin %> admin destinations add --kind slack',
    '<%= config.bin %> admin destinations add --workspace acme --kind webhook --name crm --brand shoes < url.txt',
    'echo team@example.com | <%= config.bin %> admin destinations add --workspace acme --kind email --events digest.weekly',
  ];
  static override flags = {
    workspace: string({ description: 'Workspace it belongs to; default: the only one', helpValue: 'ID' }),
    kind: option({
      options: destinationKindNames,
      description: 'What it is',
      required: true,
    })(),
    name: string({ description: 'What it is for' }),
    events: string({
      description: `What is delivered, separated by commas: ${eventTypeNames.join(', ')}; default: all but ${others.join(', ')}`,
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      helpValue: 'TYPE,…',
    }),
    brand: string({
      description: 'Only events of this brand; may be repeated',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'ID',
    }),
    'address-file': string({ description: 'File that has the address', helpValue: 'FILE' }),
    'secret-file': string({
      description: 'File that has the secret of the webhook (whsec_…); default: a new one is made',
      helpValue: 'FILE',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(DestinationsAdd);
    const { workspace, kind, name, events, brand: brands } = flags;
    const secret = keyOfFile(flags['secret-file'], 'secret-file');
    const address =
      keyOfFile(flags['address-file'], 'address-file') ??
      (await readSecret({
        question: kind === 'email' ? 'E-mail address' : 'URL',
        refusal: 'No address was given.',
        hint: `Type it at the prompt, pipe it in, or name its file with --address-file. ${kind} takes a ${destinationKinds[kind].address}.`,
      }));
    const { addDestination } = await import('../../../../server/alerts/delivery/destinations.js');
    const { readConfig } = await import('../../../../server/run/config.js');
    const { alertsAllowPrivate: allowPrivate } = await explained(async () =>
      readConfig(environmentWith(flags)),
    );
    const wanted = { workspace, kind, name, address, secret, events, brands };
    const added = await this.withDatabase(flags, (db) =>
      addDestination(db, wanted, { allowPrivate, now: currentTime() }),
    );
    const { id, shown } = added;
    if (flags.json) {
      const made = {
        id,
        kind,
        workspace: added.workspace,
        name: name ?? null,
        address: shown,
        events: added.events,
      };
      return print(`${JSON.stringify({ ...made, brands: brands ?? null, secret: added.secret })}\n`);
    }
    this.note(`${destinationKinds[kind].label} ${shown}, id ${id}, gets ${added.events.join(', ')}.`);
    this.note(`\`${this.config.bin} admin destinations test ${id}\` sends a message.`);
    if (added.secret === null) return print(`${id}\n`);
    this.note('The secret that signs its messages is shown this once:');
    return print(`${added.secret}\n`);
  }
}
