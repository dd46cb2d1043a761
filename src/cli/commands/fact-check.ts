import { boolean } from '@oclif/core/flags';
import { runFactCheck } from '../../contract/reads/run-fact-check.js';
import { type ParamsOf, type ResponseOf, resources } from '../../contract/registry.js';
import type { CallOptions } from '../../sdk/call-options.js';
import type { SvcClient } from '../../sdk/client.js';
import { paramFlags } from '../base/flags.js';
import { noteOf, type ReadFlags, SheetCommand } from '../base/read-command.js';
import { sheet } from '../render/object-format.js';
import { type Discrepancy, factCheckView } from '../views/fact-check.js';
import { outcomeOf } from '../views/fact-check-run.js';

const resource = 'fact-check';
const { params, summary, tool } = runFactCheck;

export default class FactCheck extends SheetCommand<typeof resource, Discrepancy> {
  static override summary = resources[resource].summary;
  static override description =
    'Answers are compared with the brand’s own knowledge base, not with general truth. The result is that ' +
    'of the last check, and it is marked as stale once it is a week old. --run runs a check now, unless the ' +
    'result is fresh: it asks a language model once, which costs about 0.01 to 0.02 USD and may take a ' +
    'minute. Other formats than the table print one discrepancy a row.';
  static override examples = [
    '<%= config.bin %> fact-check',
    '<%= config.bin %> fact-check --run',
    '<%= config.bin %> fact-check --json',
  ];
  static override flags = {
    ...paramFlags(resources[resource].params),
    run: boolean({ description: summary }),
    force: boolean({ description: params.force.description, dependsOn: ['run'] }),
  };

  protected readonly resource = resource;
  protected readonly view = factCheckView;
  protected read = (svc: SvcClient, params: ParamsOf<typeof resource>, options: CallOptions) =>
    svc.factCheck(params, options);

  override async run(): Promise<ResponseOf<typeof resource>> {
    const { run } = await this.readFlags<ReadFlags & { run?: boolean }>();
    return run ? this.#check() : super.run();
  }

  #check() {
    return this.present({
      params,
      waiting: 'Checking facts with a language model, which may take a minute …',
      ask: (asking) => asking.svc.tools.call(tool, asking.params, asking.options),
      show: (format, data) => sheet(format, this.view, data),
      // Where nothing ran, the note says the same in the words of the tool.
      remarks: (data) => [outcomeOf(data), ...(data.ran ? noteOf(data) : [])],
    });
  }
}
