import { toolCommand } from '../base/tool-command.js';
import { siteHealthView } from '../views/site-health.js';

export default class SiteHealth extends toolCommand('get_site_health', siteHealthView) {
  static override description =
    'Pages are ok at status 200 to 299 and errors from 400 on. A bot wall lets people through and bots not; ' +
    'it counts as neither. Other formats than the table print one of the slowest pages a row. Needs the ' +
    'Growth plan or above.';
  static override examples = ['<%= config.bin %> site-health', '<%= config.bin %> site-health --format csv'];
}
