import { Args } from '@oclif/core';
import { AdminCommand } from '../../../base/admin-command.js';
import { currentTime } from '../../../clock.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';

export default class PeopleRevoke extends AdminCommand {
  static override summary =
    'End what a person has here: sessions, links and assistants, on every server within a second; they cannot sign in again';
  static override examples = ['<%= config.bin %> admin people revoke 5f0c…'];
  static override args = {
    id: Args.string({
      description: 'Id of a person, as `people list` shows it',
      required: true,
      ignoreStdin: true,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(PeopleRevoke);
    const { revokePerson } = await import('../../../../server/accounts/people.js');
    const now = currentTime();
    const revoked = await this.withDatabase(flags, (db) => revokePerson(db, { id: args.id, revokedAt: now }));
    if (revoked.length === 0)
      throw new CommandError('not_found', `Nobody with access has the id ${args.id}.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, revoked_at: now })}\n`);
    else await print(`Person ${args.id} is revoked.\n`);
  }
}
