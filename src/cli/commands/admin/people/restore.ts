import { Args } from '@oclif/core';
import { AdminCommand } from '../../../base/admin-command.js';
import { CommandError } from '../../../failure/command-error.js';
import { print } from '../../../render/terminal.js';

export default class PeopleRestore extends AdminCommand {
  static override summary = 'Let a person sign in again who was revoked';
  static override examples = ['<%= config.bin %> admin people restore 5f0c…'];
  static override args = {
    id: Args.string({
      description: 'Id of a person, as `people list` shows it',
      required: true,
      ignoreStdin: true,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(PeopleRestore);
    const { revokePerson } = await import('../../../../server/accounts/people.js');
    const restored = await this.withDatabase(flags, (db) =>
      revokePerson(db, { id: args.id, revokedAt: null }),
    );
    if (restored.length === 0)
      throw new CommandError('not_found', `Nobody who was revoked has the id ${args.id}.`);
    if (flags.json) await print(`${JSON.stringify({ id: args.id, revoked_at: null })}\n`);
    else await print(`Person ${args.id} may sign in again.\n`);
  }
}
