import { discourseTopicUrl } from './content-keys/discourse.js';
import { quoraQuestionUrl } from './content-keys/quora.js';
import { redditThreadUrl } from './content-keys/reddit.js';
import { stackExchangePostUrl } from './content-keys/stack-exchange.js';
import { youtubeVideoUrl } from './content-keys/youtube.js';

export { youtubeVideoId } from './content-keys/youtube.js';

/** Sites first: Discourse runs on any host and goes last. */
const SITES = [
  youtubeVideoUrl,
  redditThreadUrl,
  stackExchangePostUrl,
  quoraQuestionUrl,
  discourseTopicUrl,
] as const;

/**
 * The one URL under which all spellings of a video, thread or question are counted, or null when the URL is not one of
 * these. A port names some other server, so such a URL has no content key.
 */
export function contentKeyUrl(url: URL): string | null {
  if (url.port !== '') return null;
  for (const keyOf of SITES) {
    const key = keyOf(url);
    if (key !== null) return key;
  }
  return null;
}
