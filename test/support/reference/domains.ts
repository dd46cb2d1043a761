import { memoised } from './memo.js';

/** A domain as it is compared: lower case, without port and leading `www.`. */
export const comparableDomain = memoised((domain) =>
  domain
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^www\./, ''),
);

/** Whether a host is the domain or a subdomain of it; both in any spelling. */
export function isUnder(host: string, domain: string): boolean {
  const left = comparableDomain(host);
  const right = comparableDomain(domain);
  return left === right || left.endsWith(`.${right}`);
}

/** The host of a stated link in lower case, without port and leading `www.`; null without a link that parses. */
export function hostOf(link: string | null | undefined): string | null {
  return link && URL.canParse(link) ? comparableDomain(new URL(link).hostname) : null;
}
