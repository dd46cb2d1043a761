import { resources } from '../../contract/registry.js';
import type { SvcClient } from '../../sdk/client.js';
import { listFlags } from '../base/flags.js';
import { ListCommand } from '../base/list-command.js';
import { sourcesView } from '../views/sources.js';

export default class Sources extends ListCommand<'sources'> {
  static override summary = resources.sources.summary;
  static override examples = ['<%= config.bin %> sources', '<%= config.bin %> sources --all --format csv'];
  static override flags = listFlags(resources.sources.params);

  protected readonly resource = 'sources';
  protected readonly view = sourcesView;
  protected reader = (svc: SvcClient) => svc.sources;
}
