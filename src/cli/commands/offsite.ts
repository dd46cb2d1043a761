import { toolCommand } from '../base/tool-command.js';
import { offsiteView } from '../views/offsite.js';

export default class Offsite extends toolCommand('list_offsite_mentions', offsiteView) {
  static override description =
    'What a weekly search for the names of the brand and its competitors found. A finding is a lead: the ' +
    'name occurs, and nobody checked that the brand is meant. Open the page before you rely on it.';
  static override examples = ['<%= config.bin %> offsite', '<%= config.bin %> offsite --format csv'];
}
