import { toolCommand } from '../base/tool-command.js';
import { visitorsView } from '../views/visitors.js';

export default class Visitors extends toolCommand('get_visitor_stats', visitorsView) {
  static override description =
    'Visits of people, not of crawlers. The totals also count visits of unknown origin, which no list of ' +
    'assistants or countries has. Other formats than the table print one page a row.';
  static override examples = ['<%= config.bin %> visitors', '<%= config.bin %> visitors --format csv'];
}
