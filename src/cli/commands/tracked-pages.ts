import { toolCommand } from '../base/tool-command.js';
import { trackedPagesView } from '../views/tracked-pages.js';

export default class TrackedPages extends toolCommand('list_tracked_pages', trackedPagesView) {
  static override description =
    'Citations and answers are counted over all time and every engine. Ranks are what third parties state, ' +
    'in their own words; — is a page for which none was ever fetched, which is not a rank of zero.';
  static override examples = [
    '<%= config.bin %> tracked-pages',
    '<%= config.bin %> tracked-pages --format csv',
  ];
}
