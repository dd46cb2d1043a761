import { printable, printableJson } from '../../contract/printable.js';
import { ApiCommand } from '../base/api-command.js';
import { type Identity, identify } from '../connection/identity.js';
import type { SettingSource, Settings } from '../connection/settings.js';
import { plainTable, textOf } from '../render/table.js';
import { print } from '../render/terminal.js';

export default class Whoami extends ApiCommand {
  static override inHelp = { group: 'SETUP', place: 3 };
  static override summary =
    'Show the server in use, the kind of key, its brands and the tokens left, and where each setting comes from';
  static override examples = ['<%= config.bin %> whoami', '<%= config.bin %> whoami --json'];

  override async run(): Promise<void> {
    const { flags } = await this.parse(Whoami);
    const settings = this.settle(flags);
    const svc = this.connect(settings);
    const identity = await this.progress.during('Asking the server …', identify(svc, this.signal));
    if (flags.json) await print(`${printableJson(payload(svc.baseUrl, settings, identity))}\n`);
    else await print(lines(svc.baseUrl, settings, identity));
  }
}

function payload(server: string, { profile, brand, sources }: Settings, identity: Identity): object {
  const { keyKind, brands, rateLimit, apiVersion, refusal } = identity;
  return {
    server,
    profile: profile ?? null,
    key_kind: keyKind,
    brands,
    default_brand: brand ?? null,
    rate_limit: rateLimit,
    api_version: apiVersion,
    note: refusal,
    sources: {
      server: sources.url,
      key: sources.key,
      default_brand: sources.brand,
      profile: sources.profile,
    },
  };
}

function lines(server: string, { profile, brand, sources }: Settings, identity: Identity): string {
  const { keyKind, rateLimit } = identity;
  const table = plainTable();
  const from = (source: SettingSource | null) => (source === null ? '' : ` (${source})`);
  table.push(['server', server + from(sources.url)]);
  table.push(['profile', profile === undefined ? 'none' : profile + from(sources.profile)]);
  table.push(['key', printable(keyKind ?? 'of a kind that the server does not state') + from(sources.key)]);
  for (const [at, text] of brandLines(identity).entries()) table.push([at === 0 ? 'brands' : '', text]);
  if (brand) table.push(['default brand', brand + from(sources.brand)]);
  if (rateLimit) table.push(['tokens left', `${rateLimit.remaining} of ${rateLimit.limit}`]);
  return textOf(table);
}

/** Limits the output to about one screen. `svc brands` lists all brands. */
const MAX_BRANDS = 10;

function brandLines({ brands, keyKind, refusal }: Identity): string[] {
  if (brands === null) {
    return [
      keyKind === 'ingest' ? 'none to read: this key can only ship crawler logs' : printable(refusal ?? ''),
    ];
  }
  if (brands.length === 0) return ['none exist in its scope'];
  const shown = brands.slice(0, MAX_BRANDS).map(({ id, name }) => printable(`${name} (${id})`));
  const hidden = brands.length - shown.length;
  return hidden === 0 ? shown : [...shown, `and ${hidden} more: svc brands`];
}
