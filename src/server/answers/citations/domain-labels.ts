import type { DomainLabel } from '../../../contract/reads/sources.js';
import { domainAndParents, isInDomainSet, isSameOrSubdomain, normaliseDomain } from './domain.js';
import domains from './domains.json' with { type: 'json' };

export interface LabelContext {
  /** The brand's domain, `host` or `host:port`; null or empty when it has none. */
  brandDomain: string | null;
  competitorDomains: readonly (string | null)[];
  /** The workspace's own labels, by normalised domain. */
  reclassifications: ReadonlyMap<string, string>;
}

const { labels, tradingNames, institutionalSuffixes } = domains;
const { shops, shopsOfOneCountry, directories } = labels.commerce;
const RETAIL: ReadonlySet<string> = new Set([...shops, ...shopsOfOneCountry]);
const DIRECTORIES: ReadonlySet<string> = new Set(directories);
/** Second-level names that trade in many countries: amazon.com, amazon.de, amazon.co.uk. */
const RETAIL_NAMES: ReadonlySet<string> = new Set(tradingNames.shops);
const DIRECTORY_NAMES: ReadonlySet<string> = new Set(tradingNames.directories);
/** Top-level domains that only public bodies and schools can register. */
const INSTITUTIONAL_TLDS: ReadonlySet<string> = new Set(institutionalSuffixes.topLevel);
/** What country registries reserve for public bodies and schools: gov.uk, edu.au, ac.jp, gob.mx. */
const INSTITUTIONAL_SECOND_LEVELS: ReadonlySet<string> = new Set(institutionalSuffixes.secondLevel);
/** Under which publishers and companies run a publication. */
const EDITORIAL_HOST_LABELS: ReadonlySet<string> = new Set(domains.hostLabels.editorial);

const LISTED: ReadonlyMap<string, DomainLabel> = new Map(
  Object.entries(labels).flatMap(([label, groups]) =>
    Object.values(groups)
      .flat()
      .map((domain: string) => [domain, label as DomainLabel] as const),
  ),
);

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
