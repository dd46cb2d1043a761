import { Args } from '@oclif/core';
import { SHARES_PATH } from '../../../contract/paths.js';
import { printableJson } from '../../../contract/printable.js';
import { PageCommand } from '../../base/page-command.js';
import { CommandError } from '../../command-error.js';
import { print } from '../../render/terminal.js';

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export default class ShareRevoke extends PageCommand {
  static override summary = 'Revoke a link; every server refuses it within a second';
  static override examples = ['<%= config.bin %> share revoke 5f0c…'];
  static override args = {
    id: Args.string({
      description: 'Id of the link, as `share list` shows it',
      required: true,
      ignoreStdin: true,
    }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ShareRevoke);
    // Somebody may have given the link: it is not repeated.
    if (!ID.test(args.id))
      throw new CommandError('usage', 'This is no id of a link: `svc share list` shows them.');
    const connection = this.connection(this.settle(flags));
    const body = await this.ask<object>(connection, 'DELETE', `${SHARES_PATH}/${args.id}`);
    return print(flags.json ? `${printableJson(body)}\n` : `Link ${args.id} is revoked.\n`);
  }
}
