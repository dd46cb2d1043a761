import { Args } from '@oclif/core';
import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../base/base-command.js';
import { CommandError } from '../../command-error.js';
import { makeCurrent, profileNamed, readProfiles } from '../../connection/profiles.js';
import { print } from '../../render/terminal.js';
import { suggestion } from '../../suggestion.js';

export default class ProfilesUse extends BaseCommand {
  static override summary = 'Choose the default profile';
  static override examples = ['<%= config.bin %> profiles use work'];
  static override args = {
    name: Args.string({ description: 'Name of a stored profile', required: true, ignoreStdin: true }),
  };
  static override flags = { json: boolean({ description: 'Print JSON, errors too', helpGroup: 'GLOBAL' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesUse);
    const { name } = args;
    const folder = this.config.configDir;
    const stored = readProfiles(folder);
    const profile = profileNamed(stored, name);
    if (!profile) {
      const near = suggestion(name, Object.keys(stored.profiles));
      throw new CommandError('usage', `No profile ${name} is stored.${near}`, {
        hint: `\`${this.config.bin} profiles\` lists them.`,
      });
    }
    makeCurrent(folder, name);
    if (flags.json) await print(`${JSON.stringify({ profile: name, default: true, server: profile.url })}\n`);
    else process.stderr.write(`Commands now use profile ${name} (${profile.url}).\n`);
  }
}
