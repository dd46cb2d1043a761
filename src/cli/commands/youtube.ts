import { toolCommand } from '../base/tool-command.js';
import { youtubeView } from '../views/youtube.js';

export default class Youtube extends toolCommand('list_youtube_citations', youtubeView) {
  static override description =
    'Positions are places in an answer’s list of citations, 1 is the first. Title, channel, views and likes ' +
    'are as the vendor stated them; — is not stated, never zero.';
  static override examples = ['<%= config.bin %> youtube', '<%= config.bin %> youtube --format csv'];
}
