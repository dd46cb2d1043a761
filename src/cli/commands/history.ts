import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../flags.js';
import { SheetCommand } from '../read-command.js';
import { type HistoryRow, historyView } from '../views/history.js';

const resource = 'metrics/history';

export default class History extends SheetCommand<typeof resource, HistoryRow> {
  static override summary = resources[resource].summary;
  static override description =
    'On a terminal a chart, with gaps where nothing was measured, and a row per entity with the change ' +
    'from the window of equal length before. Other formats than the table print one day of one entity a ' +
    'row.';
  static override examples = [
    '<%= config.bin %> history --metric visibility',
    '<%= config.bin %> history --metric share_of_voice_fraction --days 56 --competitors',
    '<%= config.bin %> history --metric sentiment_index --from 2026-09-01 --to 2026-10-31 --engine chatgpt',
  ];
  static override flags = paramFlags(resources[resource].params);

  protected readonly resource = resource;
  protected readonly view = historyView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.history(params, options);
}
