/** Decides from the URL of a cited page whether it is a discussion thread. */
import type { ThreadKind } from '../../contract/reads/community-threads.js';
import { parseWebUrl } from './canonical-url.js';
import { quoraQuestionUrl, redditThreadUrl, stackExchangePostUrl, youtubeVideoUrl } from './content-keys.js';

/** A topic of Discourse. Its canonical URL does not contain the number of a post. */
const DISCOURSE_TOPIC = /^\/t\/(?!\d+\/)[\w%-]+\/[1-9]\d{0,9}\/?$/;

const isDiscourseTopic = (url: URL): boolean => DISCOURSE_TOPIC.test(url.pathname);

const SITES: readonly (readonly [kind: ThreadKind, isThread: (url: URL) => boolean])[] = [
  ['video', (url) => youtubeVideoUrl(url) !== null],
  ['forum', (url) => redditThreadUrl(url) !== null],
  ['qa', (url) => stackExchangePostUrl(url) !== null],
  ['qa', (url) => quoraQuestionUrl(url) !== null],
  ['forum', isDiscourseTopic],
];

/** The kind of thread that a canonical URL opens; null: the URL does not show that it is a thread. */
export function threadKind(canonicalUrl: string): ThreadKind | null {
  const url = parseWebUrl(canonicalUrl);
  if (url === null || url.port !== '') return null;
  return SITES.find(([, isThread]) => isThread(url))?.[0] ?? null;
}
