import type { DomainLabel } from '../../contract/reads/sources.js';
import { domainAndParents, isInDomainSet, isSameOrSubdomain, normaliseDomain } from './domain.js';
import {
  DIRECTORY_DOMAINS,
  DIRECTORY_NAMES,
  EDITORIAL_DOMAINS,
  EDITORIAL_HOST_LABELS,
  INSTITUTIONAL_DOMAINS,
  INSTITUTIONAL_SECOND_LEVELS,
  INSTITUTIONAL_TLDS,
  REFERENCE_DOMAINS,
  RETAIL_DOMAINS,
  RETAIL_NAMES,
  UGC_DOMAINS,
} from './domain-lists.js';

export interface LabelContext {
  /** The brand's domain, `host` or `host:port`; null or empty when it has none. */
  brandDomain: string | null;
  competitorDomains: readonly (string | null)[];
  /** The workspace's own labels, by normalised domain. */
  reclassifications: ReadonlyMap<string, string>;
}

const RETAIL: ReadonlySet<string> = new Set(RETAIL_DOMAINS);
const DIRECTORIES: ReadonlySet<string> = new Set(DIRECTORY_DOMAINS);

const LISTED: ReadonlyMap<string, DomainLabel> = new Map([
  ...UGC_DOMAINS.map((domain) => [domain, 'ugc'] as const),
  ...REFERENCE_DOMAINS.map((domain) => [domain, 'reference'] as const),
  ...INSTITUTIONAL_DOMAINS.map((domain) => [domain, 'institutional'] as const),
  ...[...RETAIL_DOMAINS, ...DIRECTORY_DOMAINS].map((domain) => [domain, 'commerce'] as const),
  ...EDITORIAL_DOMAINS.map((domain) => [domain, 'editorial'] as const),
]);

/**
 * Returns the label of a cited domain: the workspace's reclassification of exactly that domain (`overridden`), else the
 * label of the first matching rule in the contract's `domainLabels`. Listed domains match their subdomains too.
 */
export function domainLabel(
  domain: string,
  context: LabelContext,
): { classification: string; overridden: boolean } {
  const host = normaliseDomain(domain);
  const stated = context.reclassifications.get(host);
  if (stated !== undefined) return { classification: stated, overridden: true };
  return { classification: labelByRule(host, context), overridden: false };
}

/** Whether the host is a shop or marketplace, rather than a directory of reviews. */
export function isRetailHost(host: string): boolean {
  return isInDomainSet(host, RETAIL) || RETAIL_NAMES.has(internationalName(host));
}

export function isDirectoryHost(host: string): boolean {
  return isInDomainSet(host, DIRECTORIES) || DIRECTORY_NAMES.has(internationalName(host));
}

function labelByRule(host: string, context: LabelContext): DomainLabel {
  if (isSameOrSubdomain(host, context.brandDomain ?? '')) return 'owned';
  if (context.competitorDomains.some((domain) => isSameOrSubdomain(host, domain ?? ''))) return 'competitor';
  return generalLabel(host);
}

/** The label that does not depend on brand and workspace. No domain is in two lists, so their order does not matter. */
function generalLabel(host: string): DomainLabel {
  for (const name of domainAndParents(host)) {
    const label = LISTED.get(name);
    if (label !== undefined) return label;
  }
  if (hasInstitutionalSuffix(host)) return 'institutional';
  if (isRetailHost(host) || isDirectoryHost(host)) return 'commerce';
  return host.split('.').some((label) => EDITORIAL_HOST_LABELS.has(label)) ? 'editorial' : 'other';
}

function hasInstitutionalSuffix(host: string): boolean {
  const [tld = '', second = ''] = host.split('.').reverse();
  return INSTITUTIONAL_TLDS.has(tld) || (isCountryCode(tld) && INSTITUTIONAL_SECOND_LEVELS.has(second));
}

/** The name before `.com`, a country code, or `.co` or `.com` with a country code; else the empty string. */
function internationalName(host: string): string {
  const [tld = '', second = '', third = ''] = host.split('.').reverse();
  if (isCountryCode(tld) && third !== '' && (second === 'co' || second === 'com')) return third;
  return tld === 'com' || isCountryCode(tld) ? second : '';
}

function isCountryCode(tld: string): boolean {
  return /^[a-z]{2}$/.test(tld);
}
