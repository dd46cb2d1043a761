import { Args } from '@oclif/core';
import { AdminCommand } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';

export default class GrantsRevoke extends AdminCommand {
  static override summary =
    'End the connection of an assistant; every server refuses its tokens within a second';
  static override examples = ['<%= config.bin %> admin grants revoke 5f0c…'];
  static override args = {
    id: Args.string({
      description: 'Grant id, as `grants list` shows it',
      required: true,
      ignoreStdin: true,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(GrantsRevoke);
    const { revokeGrant } = await import('../../../../server/accounts/grants.js');
    const now = currentTime();
    const revoked = await this.withDatabase(flags, (db) =>
      revokeGrant(db, { id: args.id, secretHash: null, workspaceId: null }),
    );
    if (!revoked) throw new CommandError('not_found', `No grant ${args.id} exists.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, revoked_at: now })}\n`);
    else await print(`Grant ${args.id} is revoked.\n`);
  }
}
