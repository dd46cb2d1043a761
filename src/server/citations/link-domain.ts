/** Returns the host of a link in the form in which domains are compared. */
import { normaliseDomain } from './domain.js';

/** The host of an http(s) link without a leading www.; null if the link is missing or cannot be parsed. */
export function linkDomain(link: string | null): string | null {
  if (link === null || !URL.canParse(link)) return null;
  const { protocol, hostname } = new URL(link);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return isWeb ? normaliseDomain(hostname) || null : null;
}
