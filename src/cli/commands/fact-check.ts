import { type ParamsOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../flags.js';
import { SheetCommand } from '../read-command.js';
import { type Discrepancy, factCheckView } from '../views/fact-check.js';

const resource = 'fact-check';

export default class FactCheck extends SheetCommand<typeof resource, Discrepancy> {
  static override summary = resources[resource].summary;
  static override description =
    'Answers are compared with the brand’s own knowledge base, not with general truth. The result is that ' +
    'of the last check, and it is marked as stale once it is a week old. Other formats than the table ' +
    'print one discrepancy a row.';
  static override examples = ['<%= config.bin %> fact-check', '<%= config.bin %> fact-check --json'];
  static override flags = paramFlags(resources[resource].params);

  protected readonly resource = resource;
  protected readonly view = factCheckView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.factCheck(params, options);
}
