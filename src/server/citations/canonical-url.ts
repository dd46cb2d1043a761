import { contentKeyUrl } from './content-keys.js';
import { normaliseDomain } from './domain.js';

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
