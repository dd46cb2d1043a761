import { Args } from '@oclif/core';
import { AdminCommand } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';

export default class KeysRevoke extends AdminCommand {
  static override summary = 'Revoke an API key; every server refuses it within seconds';
  static override examples = ['<%= config.bin %> admin keys revoke 5f0c…'];
  static override args = {
    id: Args.string({ description: 'Key id, as `keys list` shows it', required: true, ignoreStdin: true }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(KeysRevoke);
    const { revokeKey } = await import('../../../../server/accounts/keys.js');
    const now = currentTime();
    const [revoked] = await this.withDatabase(flags, (db) => revokeKey(db, { id: args.id, now }));
    if (!revoked) throw new CommandError('not_found', `No working key ${args.id} exists.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, revoked_at: now })}\n`);
    else await print(`Key ${args.id} is revoked.\n`);
  }
}
