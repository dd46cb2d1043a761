import { Args } from '@oclif/core';
import { boolean } from '@oclif/core/flags';
import { errors } from '../../contract/errors.js';
import { linkLife } from '../../contract/wording.js';
import { ApiCommand } from '../base/api-command.js';
import { fetchAs, fromServer } from '../connection/fetch.js';
import { checkedAddress, requiredKey } from '../connection/settings.js';
import { openInBrowser, signInLink } from '../connection/sign-in-link.js';
import { CommandError } from '../failure/command-error.js';
import { isRefusedAs } from '../failure/diagnosis.js';
import { print } from '../render/terminal.js';

export default class Open extends ApiCommand {
  static override inHelp = { group: 'SETUP', place: 2 };
  static override summary = 'Open the page for people in the browser, signed in';
  static override description =
    `The link works ${linkLife}, and holds no key. In a pipe, and with --print, it is printed and not opened.`;
  static override examples = ['<%= config.bin %> open', '<%= config.bin %> open torvello --print'];
  static override args = {
    brand: Args.string({
      description: 'Brand to open; default: the default brand, else the list of brands',
      ignoreStdin: true,
    }),
  };
  static override flags = { print: boolean({ description: 'Print the link, open nothing' }) };

  override async run(): Promise<void> {
    const { args, flags } = await this.parse(Open);
    const settings = this.settle({ ...flags, brand: args.brand });
    const url = checkedAddress(settings);
    const fetch = fromServer(fetchAs(this.userAgent));
    const request = { url, key: requiredKey(settings), brand: settings.brand, fetch, signal: this.signal };
    const link = await this.progress.during('Asking the server …', signInLink(request).catch(withoutPage));
    const address = url + link.path;
    await print(
      flags.json ? `${JSON.stringify({ url: address, expires_at: link.expires_at })}\n` : `${address}\n`,
    );
    if (flags.json || flags.print || !process.stdout.isTTY) return;
    if (!(await openInBrowser(address))) this.note('No browser could be started: open the link yourself.');
  }
}

/** Explains the 404 of a server that does not serve the page. */
function withoutPage(error: Error): never {
  if (!isRefusedAs(error, errors.notFound())) throw error;
  throw new CommandError(
    'not_found',
    'This server has no page: it is off (PAGE=off), or the server is older.',
    {
      status: 404,
    },
  );
}
