import type { Quote } from '../../contract/reads/sentiment.js';
import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../flags.js';
import { SheetCommand } from '../read-command.js';
import { sentimentView } from '../views/sentiment.js';

const resource = 'sentiment';

export default class Sentiment extends SheetCommand<typeof resource, Quote> {
  static override summary = resources[resource].summary;
  static override description =
    '50 is neutral. Mentions without a tone are counted as unscored and stay outside the index. Other ' +
    'formats than the table print one quote a row.';
  static override examples = [
    '<%= config.bin %> sentiment',
    '<%= config.bin %> sentiment --days 28 --engine chatgpt,perplexity',
    '<%= config.bin %> sentiment --format csv',
  ];
  static override flags = paramFlags(resources[resource].params);

  protected readonly resource = resource;
  protected readonly view = sentimentView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.sentiment(params, options);
}
