/** What the labels of one brand depend on; domains in lower case, without port and leading `www.`. */
export interface LabelContext {
  brandDomain: string;
  competitorDomains: string[];
  reclassifications: Map<string, string>;
}

/** The rules about URLs and domains, handed in so that the reference does not depend on how they are written. */
export interface UrlRules {
  canonicalUrl(cited: string): { url: string; domain: string };
  pageType(url: string, title: string | null): string | null;
  domainLabel(domain: string, context: LabelContext): { classification: string; overridden: boolean };
}
