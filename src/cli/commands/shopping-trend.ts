import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../base/flags.js';
import { SheetCommand } from '../base/read-command.js';
import { type ShoppingPoint, shoppingTrendView } from '../views/shopping-trend.js';

const resource = 'shopping-trend';

export default class ShoppingTrend extends SheetCommand<typeof resource, ShoppingPoint> {
  static override summary = resources[resource].summary;
  static override examples = ['<%= config.bin %> shopping-trend', '<%= config.bin %> shopping-trend --json'];
  static override flags = paramFlags(resources[resource].params);

  protected readonly resource = resource;
  protected readonly view = shoppingTrendView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.shoppingTrend(params, options);
}
