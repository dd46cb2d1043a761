import { toolCommand } from '../base/tool-command.js';
import { fanoutsView } from '../views/fanouts.js';

export default class Fanouts extends toolCommand('list_fanouts', fanoutsView) {
  static override description =
    'Before it answers, an assistant runs searches of its own. An echo only repeats the prompt; the others ' +
    'show what the assistant looked for besides. Volumes are measured or unknown, never estimated.';
  static override examples = ['<%= config.bin %> fanouts', '<%= config.bin %> fanouts --format csv'];
}
