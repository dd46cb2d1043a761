/** Decides from the URL of a cited page whether it is a discussion thread. */

import type { ThreadKind } from '../../../contract/reads/threads.js';
import { isInDomainSet, isSameOrSubdomain, normaliseDomain } from './domain.js';
import domains from './domains.json' with { type: 'json' };

export interface CanonicalUrl {
  /** The canonical URL, or the citation as written when it is not an http(s) URL. */
  url: string;
  /** Host in lower case without port and leading `www.`; the empty string when it is not an http(s) URL. */
  domain: string;
}

const TRACKING_KEYS: ReadonlySet<string> = new Set(['ref', 'fbclid', 'gclid']);

/**
 * Returns the URL under which a citation is counted. Idempotent, and never throws.
 *
 * Scheme, host and path are serialised by the WHATWG standard: spellings that send the same request (host case, default
 * port, dot segments, an unescaped space) count as one page, but escapes, case and slashes of the path are kept. The
 * query loses tracking pairs and empty pairs and is not re-encoded: `a`, `a=`, `+` and `%20` keep their spelling.
 */
export function canonicalUrl(cited: string): CanonicalUrl {
  const parsed = parseWebUrl(cited);
  if (parsed === null) return { url: cited, domain: '' };
  const keyed = contentKeyUrl(parsed);
  if (keyed !== null) return { url: keyed, domain: normaliseDomain(new URL(keyed).hostname) };
  return { url: withoutTracking(parsed), domain: normaliseDomain(parsed.hostname) };
}

/** The parsed URL, or null when the text is not an http(s) URL. */
export function parseWebUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

function withoutTracking(url: URL): string {
  // The serialisation escapes `?` and `#` before the query, so the first of them ends the path.
  const end = url.href.search(/[?#]/);
  const base = end === -1 ? url.href : url.href.slice(0, end);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isTrackingPair(pair));
  return kept.length === 0 ? base : `${base}?${kept.join('&')}`;
}

function isTrackingPair(pair: string): boolean {
  // URLSearchParams decodes without throwing on malformed escapes. It drops one leading `?`, which may belong to the key.
  const [key = ''] = new URLSearchParams(`?${pair}`).keys();
  const folded = key.toLowerCase();
  return TRACKING_KEYS.has(folded) || folded.startsWith('utm_');
}

export const VIDEO_DOMAIN = 'youtube.com';
/** How the canonical URL of every video begins. */
export const VIDEO_PREFIX = `https://www.${VIDEO_DOMAIN}/watch?v=`;

const VIDEO_HOSTS: ReadonlySet<string> = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'gaming.youtube.com',
  'youtube-nocookie.com',
  'www.youtube-nocookie.com',
  'youtubekids.com',
  'www.youtubekids.com',
]);

const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/;

/** Players of a list or a channel. Their names match `VIDEO_ID` by chance. */
const PLAYER_NAMES: ReadonlySet<string> = new Set(['videoseries', 'live_stream']);

/** `https://www.youtube.com/watch?v=ID` for every spelling of a video, else null. */
function youtubeVideoUrl(url: URL): string | null {
  const id = videoIdOf(url);
  return id === null ? null : `${VIDEO_PREFIX}${id}`;
}

/** The id of the YouTube video that an http(s) URL opens, else null. Never throws. */
export function youtubeVideoId(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  return /^https?:$/.test(parsed.protocol) && parsed.port === '' ? videoIdOf(parsed) : null;
}

function videoIdOf(url: URL): string | null {
  const id = candidateOf(url);
  return id !== null && VIDEO_ID.test(id) ? id : null;
}

function candidateOf(url: URL): string | null {
  if (url.hostname === 'youtu.be') return /^\/([^/]+)\/?$/.exec(url.pathname)?.[1] ?? null;
  if (!VIDEO_HOSTS.has(url.hostname)) return null;
  if (/^\/watch\/?$/.test(url.pathname)) return firstVideoParameter(url.search);
  const id = /^\/(?:watch|v|vi|e|embed|shorts|live)\/([^/]+)\/?$/.exec(url.pathname)?.[1] ?? null;
  return id !== null && PLAYER_NAMES.has(id) ? null : id;
}

function firstVideoParameter(search: string): string | null {
  // Links that were copied from HTML source contain `&amp;`, sometimes escaped twice.
  return new URLSearchParams(search.replace(/&(?:amp;)+/gi, '&')).get('v');
}

/** `/r/SUB/comments/ID…`, `/user/NAME/comments/ID…`, `/comments/ID…` and `/gallery/ID`. */
const PERMALINK =
  /^\/(?:(?:(?:r|u|user)\/[^/]+\/)?comments\/([0-9a-z]{1,13})(?:\.json)?(?:\/.*)?|gallery\/([0-9a-z]{1,13})\/?)$/i;

const SHORT_LINK = /^\/([0-9a-z]{1,13})\/?$/i;

/**
 * Returns `https://www.reddit.com/comments/ID/` for every permalink of a Reddit thread, else null. The id is a base 36
 * number, so its case has no meaning. Share links (`/r/SUB/s/TOKEN`) do not contain the id and have no key.
 */
function redditThreadUrl(url: URL): string | null {
  const id = threadIdOf(url);
  return id === undefined ? null : `https://www.reddit.com/comments/${id.toLowerCase()}/`;
}

function threadIdOf(url: URL): string | undefined {
  // Subdomains of redd.it serve images and videos, not threads.
  if (url.hostname === 'redd.it' || url.hostname === 'www.redd.it') return SHORT_LINK.exec(url.pathname)?.[1];
  if (!isSameOrSubdomain(url.hostname, 'reddit.com')) return undefined;
  const match = PERMALINK.exec(url.pathname);
  return match?.[1] ?? match?.[2];
}

const STACK_EXCHANGE_SITES: ReadonlySet<string> = new Set(domains.labels.ugc.stackExchange);
const STACK_EXCHANGE_QUESTION = /^\/(?:questions|q)\/([1-9]\d{0,9})(?:\/.*)?$/;
const ANSWER = /^\/a\/([1-9]\d{0,9})(?:\/\d+)?\/?$/;

/**
 * Returns `https://HOST/questions/ID` for a question of a Stack Exchange site, and `https://HOST/a/ID` for a link to an
 * answer, because that link does not contain the id of the question; else null.
 */
function stackExchangePostUrl(url: URL): string | null {
  if (!isInDomainSet(url.hostname, STACK_EXCHANGE_SITES)) return null;
  const question = STACK_EXCHANGE_QUESTION.exec(url.pathname)?.[1];
  if (question !== undefined) return `https://${url.hostname}/questions/${question}`;
  const answer = ANSWER.exec(url.pathname)?.[1];
  return answer === undefined ? null : `https://${url.hostname}/a/${answer}`;
}

const QUORA_QUESTION = /^\/(?:unanswered\/([^/]+)|([^/]+?)(?:\/answer\/[^/]+)?)\/?$/;

/** Pages of the site itself (`/search`, `/about`) are one lower-case word; question slugs never are. */
const SITE_PAGE = /^[a-z0-9_.]+$/;

/** `https://HOST/Slug` for a Quora question, its unanswered form and its answers, else null. */
function quoraQuestionUrl(url: URL): string | null {
  if (!isSameOrSubdomain(url.hostname, 'quora.com')) return null;
  const match = QUORA_QUESTION.exec(url.pathname);
  const slug = match?.[1] ?? match?.[2];
  return slug === undefined || SITE_PAGE.test(slug) ? null : `https://${url.hostname}/${slug}`;
}

/** A slug in Discourse is never a bare number, so a dated path like `/t/2026/05/01` does not match. */
const POST = /^\/t\/(?!\d+\/)([\w%-]+)\/([1-9]\d{0,9})\/\d{1,10}\/?$/;

/** `https://HOST/t/slug/ID` for a link to one post of a Discourse topic, on any host; else null. */
function discourseTopicUrl(url: URL): string | null {
  const match = POST.exec(url.pathname);
  return match === null ? null : `https://${url.hostname}/t/${match[1]}/${match[2]}`;
}

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
function contentKeyUrl(url: URL): string | null {
  if (url.port !== '') return null;
  for (const keyOf of SITES) {
    const key = keyOf(url);
    if (key !== null) return key;
  }
  return null;
}

/** A topic of Discourse. Its canonical URL does not contain the number of a post. */
const DISCOURSE_TOPIC = /^\/t\/(?!\d+\/)[\w%-]+\/[1-9]\d{0,9}\/?$/;

const isDiscourseTopic = (url: URL): boolean => DISCOURSE_TOPIC.test(url.pathname);

const THREAD_SITES: readonly (readonly [kind: ThreadKind, isThread: (url: URL) => boolean])[] = [
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
  return THREAD_SITES.find(([, isThread]) => isThread(url))?.[0] ?? null;
}
