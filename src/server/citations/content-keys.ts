import { discourseTopicUrl } from './content-keys/discourse.js';
import { quoraQuestionUrl } from './content-keys/quora.js';
import { redditThreadUrl } from './content-keys/reddit.js';
import { stackExchangePostUrl } from './content-keys/stack-exchange.js';
import { youtubeVideoUrl } from './content-keys/youtube.js';

export { youtubeVideoId } from './content-keys/youtube.js';

/** Discourse is last, because it runs on any host. */
const SITES = [
  youtubeVideoUrl,
  redditThreadUrl,
  stackExchangePostUrl,
  quoraQuestionUrl,
  discourseTopicUrl,
] as const;

/**
 * Returns the one URL under which all spellings of a video, thread or question are counted; null for any other page.
 * A URL with a port has no content key, because it addresses another server.
 */
export function contentKeyUrl(url: URL): string | null {
  if (url.port !== '') return null;
  for (const keyOf of SITES) {
    const key = keyOf(url);
    if (key !== null) return key;
  }
  return null;
}
