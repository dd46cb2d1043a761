import { option, string } from '@oclif/core/flags';
import { SHARE_LIMITS } from '../../../contract/limits.js';
import { brand } from '../../../contract/params.js';
import { type NewShare, SHARES_PATH } from '../../../contract/paths.js';
import { printableJson } from '../../../contract/printable.js';
import { history } from '../../../contract/reads/history.js';
import { runFilters } from '../../../contract/slice.js';
import { paramFlags } from '../../base/flags.js';
import { PageCommand } from '../../base/page-command.js';
import { requestParams } from '../../base/read.js';
import { print } from '../../render/terminal.js';
import { minute } from './list.js';

const { days, from, to, engine } = history.params;
/** What a link can be limited to. A window is where its viewers begin. */
const params = { brand, from, to, engine, ...runFilters } as const;

const { days: usual, maxDays } = SHARE_LIMITS;

export default class Share extends PageCommand {
  static override inHelp = { group: 'SETUP', place: 2 };
  static override summary = 'Make a link that shows a brand on the page, read-only and without a key';
  static override description =
    'Whoever has the link sees the brand within the filters that are given, until it expires or is revoked. It ends with the key that made it.';
  static override examples = [
    '<%= config.bin %> share --brand torvello',
    '<%= config.bin %> share --brand torvello --engine chatgpt --tag espresso --expires 30d',
  ];
  static override flags = {
    ...paramFlags(params),
    days: option({
      options: days.values.map(String),
      description:
        'Days of the window that the link opens, which ends today (UTC); its viewers may choose another',
      helpValue: days.values.join('|'),
    })(),
    expires: string({
      description: `Until when it works: days as 30d, a last day (UTC) or an RFC 3339 time, at most ${maxDays} days from now; default: ${usual}d`,
      helpValue: '30d|DATE|TIME',
    }),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Share);
    const settings = this.settle(flags);
    const { days, expires } = flags;
    const chosen = { ...requestParams(params, flags), days, brand: settings.brand, expires };
    const query = new URLSearchParams(
      Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const connection = this.connection(settings);
    const { path, ...share } = await this.ask<NewShare>(connection, 'POST', `${SHARES_PATH}?${query}`);
    const url = connection.url + path;
    if (flags.json) return print(`${printableJson({ url, ...share })}\n`);
    this.note(
      `It shows ${share.brand} until ${minute(share.expires_at)}, and is printed this once. \`${this.config.bin} share revoke ${share.id}\` ends it.`,
    );
    return print(`${url}\n`);
  }
}
