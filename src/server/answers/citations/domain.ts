/** Returns the host of a link in the form in which domains are compared. */
import { domainToASCII } from 'node:url';

/** The longest name in DNS (RFC 1035, 2.3.4). A longer host has no parents, which also limits look-ups. */
const MAX_NAME_LENGTH = 253;

/**
 * Returns a host or `host:port` in the form by which citations are grouped: lower case, without the port and without
 * one leading `www.`. IPv6 literals keep their colons; names outside ASCII are converted to punycode, as in URLs.
 */
export function normaliseDomain(domain: string): string {
  const host = toAscii(withoutPort(domain.trim().toLowerCase()));
  return host.startsWith('www.') && host.length > 4 ? host.slice(4) : host;
}

/** Whether `host` is `domain` or a subdomain of it. Both are normalised first; false when either is empty. */
export function isSameOrSubdomain(host: string, domain: string): boolean {
  const child = normaliseDomain(host);
  const parent = normaliseDomain(domain);
  if (child === '' || parent === '') return false;
  return child === parent || (hasParents(child) && child.endsWith(`.${parent}`));
}

/**
 * Returns the host and every domain above it, most specific first: `a.b.com`, `b.com`, `com` for `a.b.com`. A domain
 * is in this list exactly when `isSameOrSubdomain(host, domain)`, so that an index look-up can replace a scan.
 */
export function domainAndParents(host: string): string[] {
  const name = normaliseDomain(host);
  if (name === '') return [];
  const names = [name];
  if (!hasParents(name)) return names;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    if (dot + 1 < name.length) names.push(name.slice(dot + 1));
  }
  return names;
}

/** Whether the host or a domain above it is in the set of normalised domains. */
export function isInDomainSet(host: string, domains: ReadonlySet<string>): boolean {
  return domainAndParents(host).some((name) => domains.has(name));
}

function withoutPort(host: string): string {
  if (host.startsWith('[')) return host.slice(0, host.indexOf(']') + 1) || host;
  const colon = host.indexOf(':');
  // A host with several colons and no brackets is an IPv6 address: its last group is not a port.
  return colon !== -1 && colon === host.lastIndexOf(':') ? host.slice(0, colon) : host;
}

function toAscii(host: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole
  return /^[\x00-\x7f]*$/.test(host) ? host : domainToASCII(host) || host;
}

/** Addresses have no parent domains: `3.4` is not above `1.2.3.4`. */
function hasParents(host: string): boolean {
  return host.length <= MAX_NAME_LENGTH && !host.includes(':') && !/^[\d.]+$/.test(host);
}

/** The host of an http(s) link without a leading www.; null if the link is missing or cannot be parsed. */
export function linkDomain(link: string | null): string | null {
  if (link === null || !URL.canParse(link)) return null;
  const { protocol, hostname } = new URL(link);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  return isWeb ? normaliseDomain(hostname) || null : null;
}
