import { isSameOrSubdomain } from '../domain.js';

/** `/r/SUB/comments/ID…`, `/user/NAME/comments/ID…`, `/comments/ID…` and `/gallery/ID`. */
const PERMALINK =
  /^\/(?:(?:(?:r|u|user)\/[^/]+\/)?comments\/([0-9a-z]{1,13})(?:\.json)?(?:\/.*)?|gallery\/([0-9a-z]{1,13})\/?)$/i;

const SHORT_LINK = /^\/([0-9a-z]{1,13})\/?$/i;

/**
 * Returns `https://www.reddit.com/comments/ID/` for every permalink of a Reddit thread, else null. The id is a base 36
 * number, so its case has no meaning. Share links (`/r/SUB/s/TOKEN`) do not contain the id and have no key.
 */
export function redditThreadUrl(url: URL): string | null {
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
