import { isUnder } from '../domains.js';
import type { UrlRules } from './url-rules.js';

const TRACKING = /^(utm_.*|ref|fbclid|gclid)$/i;

/**
 * The smallest rules that the reference's own tests can run on: no content keys, no page types, no lists of domains.
 * What is compared with a server takes the server's rules, which have tests of their own.
 */
export const plainUrlRules: UrlRules = {
  canonicalUrl(cited) {
    if (!URL.canParse(cited)) return { url: cited, domain: '' };
    const url = new URL(cited);
    if (!/^https?:$/.test(url.protocol)) return { url: cited, domain: '' };
    url.hash = '';
    for (const key of [...url.searchParams.keys()]) if (TRACKING.test(key)) url.searchParams.delete(key);
    return { url: url.href, domain: url.hostname.replace(/^www\./, '') };
  },
  pageType: () => null,
  domainLabel(domain, context) {
    const own = context.reclassifications.get(domain);
    if (own !== undefined) return { classification: own, overridden: true };
    if (domain !== '' && isUnder(domain, context.brandDomain))
      return { classification: 'owned', overridden: false };
    const rival = context.competitorDomains.some((each) => isUnder(domain, each));
    return { classification: rival ? 'competitor' : 'other', overridden: false };
  },
};
