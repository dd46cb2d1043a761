import { integer } from '@oclif/core/flags';
import { CAPS } from '../../contract/limits.js';
import type { Quote, Sentiment as Tones } from '../../contract/reads/sentiment.js';
import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../base/flags.js';
import { type ReadFlags, SheetCommand, type Shown } from '../base/read-command.js';
import type { Format } from '../render/format.js';
import { sheet } from '../render/object-format.js';
import { QUOTES, sentimentView } from '../views/sentiment.js';

const resource = 'sentiment';

export default class Sentiment extends SheetCommand<typeof resource, Quote> {
  static override summary = resources[resource].summary;
  static override description =
    '50 is neutral. Mentions without a tone are counted as unscored and stay outside the index. Other ' +
    'formats than the table print one quote a row.';
  static override examples = [
    '<%= config.bin %> sentiment',
    '<%= config.bin %> sentiment --days 28 --engine chatgpt,perplexity',
    '<%= config.bin %> sentiment --quotes 40',
    '<%= config.bin %> sentiment --format csv',
  ];
  static override flags = {
    ...paramFlags(resources[resource].params),
    quotes: integer({
      description: `Quotes to show: ${QUOTES} in the table when absent, every one of the API (${CAPS.quotes} at most) in other formats`,
      helpValue: 'N',
      min: 0,
      max: CAPS.quotes,
    }),
  };

  protected readonly resource = resource;
  protected readonly view = sentimentView();
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.sentiment(params, options);

  protected override async show(format: Format, data: Tones): Promise<Shown> {
    const { quotes } = await this.readFlags<ReadFlags & { quotes?: number }>();
    return sheet(format, sentimentView(quotes), data);
  }
}
