import { resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../flags.js';
import { ObjectCommand } from '../read-command.js';
import { overviewView } from '../views/overview.js';

export default class Overview extends ObjectCommand<'overview'> {
  static override summary = resources.overview.summary;
  static override examples = ['<%= config.bin %> overview', '<%= config.bin %> overview --json'];
  static override flags = paramFlags(resources.overview.params);

  protected readonly resource = 'overview';
  protected readonly view = overviewView;
  protected read = (svc: SvcClient, params: object, options: CallOptions) => svc.overview(params, options);
}
