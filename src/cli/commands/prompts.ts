import { resources } from '../../contract/registry.js';
import type { SvcClient } from '../../sdk/client.js';
import { listFlags } from '../base/flags.js';
import { ListCommand } from '../base/list-command.js';
import { promptsView } from '../views/prompts.js';

export default class Prompts extends ListCommand<'prompts'> {
  static override summary = resources.prompts.summary;
  static override examples = ['<%= config.bin %> prompts', '<%= config.bin %> prompts --all --format csv'];
  static override flags = listFlags(resources.prompts.params);

  protected readonly resource = 'prompts';
  protected readonly view = promptsView;
  protected reader = (svc: SvcClient) => svc.prompts;
}
