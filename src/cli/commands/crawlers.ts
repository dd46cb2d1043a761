import type { CrawlerAgent } from '../../contract/reads/crawlers.js';
import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../base/flags.js';
import { SheetCommand } from '../base/read-command.js';
import { crawlersView } from '../views/crawlers.js';

const resource = 'crawlers';

export default class Crawlers extends SheetCommand<typeof resource, CrawlerAgent> {
  static override summary = resources[resource].summary;
  static override description =
    'Agents for training, search indexes and fetches on behalf of users are told apart: whoever blocks ' +
    'one of the latter two takes the site out of answers, and such rows stand out with a !. Needs the ' +
    'Growth plan or above.';
  static override examples = [
    '<%= config.bin %> crawlers',
    '<%= config.bin %> crawlers --days 28',
    '<%= config.bin %> crawlers --format csv',
  ];
  static override flags = paramFlags(resources[resource].params);

  protected readonly resource = resource;
  protected readonly view = crawlersView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.crawlers(params, options);
}
