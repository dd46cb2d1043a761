import type { Ad } from '../../contract/reads/ads.js';
import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../base/flags.js';
import { SheetCommand } from '../base/read-command.js';
import { adsView } from '../views/ads.js';

const resource = 'ads';

export default class Ads extends SheetCommand<typeof resource, Ad> {
  static override summary = resources[resource].summary;
  static override description =
    'An engine states the advertiser, or it does not: — stands where it stated none. Only some engines ' +
    'state ads at all; on the others ads are unknown, never absent. Other formats than the table print ' +
    'one ad unit a row.';
  static override examples = [
    '<%= config.bin %> ads',
    '<%= config.bin %> ads --from 2026-07-01 --to 2026-07-31 --format csv',
  ];
  static override flags = paramFlags(resources[resource].params);

  protected readonly resource = resource;
  protected readonly view = adsView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.ads(params, options);
}
