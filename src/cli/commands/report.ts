import { boolean } from '@oclif/core/flags';
import { brand } from '../../contract/params.js';
import { lastDays } from '../../contract/wording.js';
import { ApiCommand } from '../base/api-command.js';
import { limitFlag, paramFlags } from '../base/flags.js';
import { json } from '../render/format.js';
import { print } from '../render/terminal.js';
import {
  contentOf,
  htmlPage,
  markdown,
  QUOTES,
  REPORT_REQUESTS,
  ROWS,
  readReport,
} from '../reports/weekly.js';

export default class Report extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 3 };
  static override summary = `One document about the ${lastDays}, for a weekly mail`;
  static override description =
    'The sentence about the brand and what needs you, then metrics and whether they moved against the week before, competitors, prompts where the brand is absent, cited domains, quotes and crawlers. ' +
    `Values that are not measured are words, never 0. All reads are of the same days, which end today. Sends ${REPORT_REQUESTS} requests, and one for each metric that moved. The HTML page has its styles in ` +
    'it, no script and no external file. --json prints the payloads of the reads by their names.';
  static override examples = [
    '<%= config.bin %> report > report.md',
    '<%= config.bin %> report --html > report.html',
  ];
  static override flags = {
    ...paramFlags({ brand }),
    md: boolean({ description: 'Markdown (default)', exclusive: ['html', 'json'] }),
    html: boolean({ description: 'An HTML page', exclusive: ['md', 'json'] }),
    limit: limitFlag(`The first N rows of each table (default ${ROWS}, quotes ${QUOTES})`, ['json']),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Report);
    const svc = this.connect(this.settle(flags));
    const reading = readReport(svc, { signal: this.signal });
    const report = await this.progress.during(`Reading the ${lastDays} …`, reading);
    if (flags.json) await print(json(report));
    else await print((flags.html ? htmlPage : markdown)(contentOf(report, flags.limit)));
  }
}
