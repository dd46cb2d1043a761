import { resources } from '../../contract/registry.js';
import type { SvcClient } from '../../sdk/client.js';
import { listFlags } from '../base/flags.js';
import { ListCommand } from '../base/list-command.js';
import { brandsView } from '../views/brands.js';

export default class Brands extends ListCommand<'brands'> {
  static override summary = resources.brands.summary;
  static override examples = ['<%= config.bin %> brands', '<%= config.bin %> brands --all --format csv'];
  static override flags = listFlags(resources.brands.params);

  protected readonly resource = 'brands';
  protected readonly view = brandsView;
  protected reader = (svc: SvcClient) => svc.brands;
}
