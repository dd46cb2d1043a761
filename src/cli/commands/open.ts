import { Args } from '@oclif/core';
import { boolean, string } from '@oclif/core/flags';
import { linkLife } from '../../contract/wording.js';
import { PageCommand } from '../base/page-command.js';
import type { Settings } from '../connection/settings.js';
import { openInBrowser, signInLink } from '../connection/sign-in-link.js';
import { print } from '../render/terminal.js';

export default class Open extends PageCommand {
  static override inHelp = { group: 'SETUP', place: 2 };
  static override summary = 'Open the page for people in the browser, signed in';
  static override description =
    `The link works ${linkLife}, and holds no key. In a pipe, and with --print, it is printed and not opened.`;
  static override examples = [
    '<%= config.bin %> open',
    '<%= config.bin %> open torvello --print',
    '<%= config.bin %> open torvello --prompt p01',
  ];
  static override args = {
    brand: Args.string({
      description: 'Brand to open; default: the default brand, else the list of brands',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    prompt: string({ description: 'Open this prompt of the brand', helpValue: 'ID', exclusive: ['answer'] }),
    answer: string({ description: 'Open this answer of the brand', helpValue: 'ID' }),
    print: boolean({ description: 'Print the link, open nothing' }),
  };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Open);
    const settings = this.settle({ ...flags, brand: args.brand });
    const connection = this.connection(settings);
    const { prompt, answer } = flags;
    const isOfBrand = prompt !== undefined || answer !== undefined;
    const brand = settings.brand ?? (isOfBrand ? await this.#firstBrand(settings) : undefined);
    const link = await this.during(signInLink({ ...connection, brand, prompt, answer }));
    const address = connection.url + link.path;
    await print(
      flags.json ? `${JSON.stringify({ url: address, expires_at: link.expires_at })}\n` : `${address}\n`,
    );
    if (flags.json || flags.print || !process.stdout.isTTY) return;
    if (!(await openInBrowser(address))) this.note('No browser could be started: open the link yourself.');
  }

  /** The brand of every command that names none. */
  async #firstBrand(settings: Settings): Promise<string | undefined> {
    const { brands } = await this.connect(settings).brands.top({}, { signal: this.signal });
    return brands[0]?.id;
  }
}
