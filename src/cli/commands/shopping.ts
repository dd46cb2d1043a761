import type { Product } from '../../contract/reads/shopping.js';
import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../base/flags.js';
import { SheetCommand } from '../base/read-command.js';
import { shoppingView } from '../views/shopping.js';

const resource = 'shopping';

export default class Shopping extends SheetCommand<typeof resource, Product> {
  static override summary = resources[resource].summary;
  static override description =
    'win rate is the share of a product’s own appearances that were in slot 1. It is not a head-to-head ' +
    'rate: two products that never met can both have 100 %. Other formats than the table print one ' +
    'product a row.';
  static override examples = ['<%= config.bin %> shopping', '<%= config.bin %> shopping --format csv'];
  static override flags = paramFlags(resources[resource].params);

  protected readonly resource = resource;
  protected readonly view = shoppingView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.shopping(params, options);
}
