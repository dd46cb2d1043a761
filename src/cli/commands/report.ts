import { boolean } from '@oclif/core/flags';
import { brand } from '../../contract/params.js';
import { windowRange } from '../../contract/slice.js';
import { ApiCommand } from '../base/api-command.js';
import { limitFlag, paramFlags } from '../base/flags.js';
import { givenDays } from '../base/read.js';
import { json } from '../render/format.js';
import { print } from '../render/terminal.js';
import { clientReads } from '../reports/client-reads.js';
import { OPENS } from '../reports/summary.js';
import { contentOf, QUOTES, REPORT_REQUESTS, ROWS, readReport } from '../reports/weekly.js';
import { htmlPage, markdown } from '../reports/weekly-document.js';

const params = { brand, ...windowRange };

export default class Report extends ApiCommand {
  static override inHelp = { group: 'VISIBILITY', place: 3 };
  static override summary = 'One document about the brand, for a weekly mail';
  static override description =
    'The sentence about the brand and what needs you, then metrics and whether they moved against the days before, competitors, prompts where the brand is absent, cited domains, quotes and crawlers. ' +
    `Values that are not measured are words, never 0. All reads are of the same days. ${OPENS} Sends ${REPORT_REQUESTS} requests, and one for each metric that moved, two for each mark of the last weeks. The HTML page has its styles in ` +
    'it, no script and no external file. --json prints the payloads of the reads by their names.';
  static override examples = [
    '<%= config.bin %> report > report.md',
    '<%= config.bin %> report --html > report.html',
  ];
  static override flags = {
    ...paramFlags(params),
    md: boolean({ description: 'Markdown (default)', exclusive: ['html', 'json'] }),
    html: boolean({ description: 'An HTML page', exclusive: ['md', 'json'] }),
    limit: limitFlag(`The first N needs and rows of each table (default ${ROWS}, quotes ${QUOTES})`, [
      'json',
    ]),
  };

  override async run(): Promise<void> {
    const { flags } = await this.parse(Report);
    const settings = this.settle(flags);
    const svc = this.connect(settings);
    const reading = readReport(clientReads(svc, { signal: this.signal }), givenDays(flags));
    const report = await this.progress.during('Reading the briefing …', reading);
    if (flags.json) await print(json(report));
    else await print((flags.html ? htmlPage : markdown)(contentOf(report, settings.url, flags.limit)));
  }
}
