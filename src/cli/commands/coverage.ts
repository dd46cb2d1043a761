import { toolCommand } from '../base/tool-command.js';
import { coverageView } from '../views/coverage.js';

export default class Coverage extends toolCommand('get_content_coverage', coverageView) {
  static override description =
    'One row per active prompt: whether an answer cites a page of the brand, how many of its pages, and the ' +
    'three other domains that are cited most. — is a prompt without an answer, which is not a no.';
  static override examples = ['<%= config.bin %> coverage', '<%= config.bin %> coverage --format csv'];
}
