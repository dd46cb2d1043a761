import { resources } from '../../contract/registry.js';
import type { SvcClient } from '../../sdk/client.js';
import { listFlags } from '../base/flags.js';
import { ListCommand } from '../base/list-command.js';
import { competitorsView } from '../views/competitors.js';

export default class Competitors extends ListCommand<'competitors'> {
  static override summary = resources.competitors.summary;
  static override examples = [
    '<%= config.bin %> competitors',
    '<%= config.bin %> competitors --all --format csv',
  ];
  static override flags = listFlags(resources.competitors.params);

  protected readonly resource = 'competitors';
  protected readonly view = competitorsView;
  protected override readonly zeros = ['visibility', 'share_of_voice', 'share_of_voice_fraction'] as const;
  protected reader = (svc: SvcClient) => svc.competitors;
}
