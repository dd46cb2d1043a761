/** The domain of every canonical video URL. */
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
export function youtubeVideoUrl(url: URL): string | null {
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
