/** Replaces the redirect addresses that Gemini cites by the pages behind them. */
import { get, REDIRECTS } from '../server/robots/connect.js';
import type { Citation } from './protocols/protocol.js';

export interface RedirectOptions {
  /** Whether private and loopback addresses may be asked too. */
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
}

export interface Resolved {
  readonly citations: Citation[];
  /** Pages that could not be resolved. Of these only the domain is known. */
  readonly unresolved: number;
}

const TIMEOUT_MS = 10_000;
const AT_ONCE = 8;
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$/u;
const GOOGLE = 'vertexaisearch.cloud.google.com';

/**
 * Asks each redirect address for its target, which is not fetched. The title of such a citation is the domain of its page;
 * if the address does not lead anywhere, the home page of this domain stands for the page.
 */
export async function withoutRedirects(
  citations: readonly Citation[],
  options: RedirectOptions,
): Promise<Resolved> {
  const resolved: Citation[] = [];
  let unresolved = 0;
  for (let at = 0; at < citations.length; at += AT_ONCE) {
    const some = citations.slice(at, at + AT_ONCE);
    const targets = await Promise.all(
      some.map((each) => (isRedirect(each) ? targetOf(each.url, options) : each.url)),
    );
    for (const [index, citation] of some.entries()) {
      const target = targets[index] ?? null;
      if (target === null) unresolved++;
      resolved.push(target === citation.url ? citation : pageOf(citation, target));
    }
  }
  return { citations: resolved, unresolved };
}

/** Whether the address is not that of the page: its host is not the domain that the title states. */
function isRedirect({ url, title = '' }: Citation): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return false;
  if (parsed.hostname === GOOGLE) return true;
  const host = parsed.hostname.replace(/^www\./, '');
  const domain = title.toLowerCase().replace(/^www\./, '');
  return DOMAIN.test(domain) && host !== domain && !host.endsWith(`.${domain}`);
}

/** The target of a redirect; null: the response has none, or the address is not public. */
async function targetOf(url: string, { allowPrivate, signal }: RedirectOptions): Promise<string | null> {
  const timeout = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await get(new URL(url), {
      allowPrivate,
      signal: timeout,
      secureWithinMs: TIMEOUT_MS,
      userAgent: 'svc (citation check)',
    });
    response.destroy();
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return null;
    const target = URL.canParse(location, url) ? new URL(location, url) : null;
    return target && /^https?:$/.test(target.protocol) ? target.href : null;
  } catch {
    return null;
  }
}

/** The title of a redirect is a domain, not the title of a page. */
function pageOf({ url, title = '' }: Citation, target: string | null): Citation {
  if (target !== null) return DOMAIN.test(title) ? { url: target } : { url: target, ...(title && { title }) };
  return DOMAIN.test(title) ? { url: `https://${title.toLowerCase()}/` } : { url, ...(title && { title }) };
}
