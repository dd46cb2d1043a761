import { resources } from '../../contract/registry.js';
import type { SvcClient } from '../../sdk/client.js';
import { listFlags } from '../base/flags.js';
import { ListCommand } from '../base/list-command.js';
import { urlsView } from '../views/urls.js';

export default class Urls extends ListCommand<'urls'> {
  static override summary = resources.urls.summary;
  static override examples = ['<%= config.bin %> urls', '<%= config.bin %> urls --all --format csv'];
  static override flags = listFlags(resources.urls.params);

  protected readonly resource = 'urls';
  protected readonly view = urlsView;
  protected override readonly zeros = ['citations', 'answers'] as const;
  protected reader = (svc: SvcClient) => svc.urls;
}
