import { toolCommand } from '../base/tool-command.js';
import { threadsView } from '../views/threads.js';

export default class Threads extends toolCommand('list_community_threads', threadsView) {
  static override description =
    '“brand” says whether the brand is talked about in the thread; — is not checked, which is not a no.';
  static override examples = ['<%= config.bin %> threads', '<%= config.bin %> threads --format csv'];
}
