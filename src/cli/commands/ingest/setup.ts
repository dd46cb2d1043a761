import { Args } from '@oclif/core';
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../base/base-command.js';
import { serverFlags } from '../../base/flags.js';
import { settingsOf } from '../../connection/settings.js';
import { type Platform, platforms, setupText } from '../../ingest/setup.js';
import { print } from '../../render/terminal.js';

export default class IngestSetup extends BaseCommand {
  static override summary = 'Print the settings that make a platform ship its crawler logs';
  static override examples = platforms.map((name) => `<%= config.bin %> ingest setup ${name}`);
  static override args = {
    platform: Args.string({
      description: 'Where the logs come from',
      required: true,
      options: [...platforms],
      ignoreStdin: true,
    }),
  };
  static override baseFlags = {
    url: serverFlags.url,
    profile: serverFlags.profile,
    json: serverFlags.json,
    brand: string({ description: 'Brand id (default: the first brand of the key)', helpValue: 'ID' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(IngestSetup);
    const { url, brand } = settingsOf(flags, process.env, this.config.configDir);
    const text = setupText(args.platform as Platform, { url: url.replace(/\/+$/, ''), brand });
    await print(flags.json ? `${JSON.stringify({ platform: args.platform, text })}\n` : text);
  }
}
