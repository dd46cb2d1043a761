import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { domainLabels } from '../../../../src/contract/reads/sources.js';
import { domainAndParents, normaliseDomain } from '../../../../src/server/answers/citations/domain.js';
import { domainLabel } from '../../../../src/server/answers/citations/domain-labels.js';
import lists from '../../../../src/server/answers/citations/domains.json' with { type: 'json' };

const fixture = new URL('../../../fixtures/labelled-urls.json', import.meta.url);
const { domains } = JSON.parse(readFileSync(fixture, 'utf8')) as { domains: [string, string][] };

const LISTS: Record<string, readonly string[]> = Object.fromEntries(
  Object.entries<Record<string, string[]>>(lists.labels).map(([label, groups]) => [
    label,
    Object.values(groups).flat(),
  ]),
);

const none = { brandDomain: null, competitorDomains: [], reclassifications: new Map<string, string>() };
const label = (domain: string) => domainLabel(domain, none).classification;

describe('the label of a domain', () => {
  for (const [host, expected] of domains) {
    it(`is ${expected} for ${host}`, () => expect(label(host)).to.equal(expected));
  }

  it('is that of the list for every listed domain and its subdomains', () => {
    for (const [expected, list] of Object.entries(LISTS)) {
      expect(domainLabels).to.include(expected);
      for (const domain of list) {
        expect(label(domain), domain).to.equal(expected);
        expect(label(`sub.${domain}`), domain).to.equal(expected);
      }
    }
  });

  it('comes from lists in order of their texts, each without an empty entry or one twice', () => {
    const check = (part: object, path: string): void => {
      for (const [key, value] of Object.entries(part)) {
        if (!Array.isArray(value)) check(value, `${path}.${key}`);
        else {
          expect(value, `${path}.${key}`).to.deep.equal([...new Set(value)].sort());
          for (const entry of value) expect(entry, path).to.match(/^[a-z0-9.-]+$/);
        }
      }
    };
    check(lists, '');
  });

  it('comes from lists without common domains, parent domains or names', () => {
    const { shops, directories } = lists.tradingNames;
    const owner = new Map<string, string>();
    for (const list of Object.values(LISTS))
      for (const domain of list) {
        expect(owner.has(domain), `${domain} is listed twice`).to.equal(false);
        expect(normaliseDomain(domain)).to.equal(domain);
        owner.set(domain, domain);
      }
    for (const domain of owner.keys()) {
      const parents = domainAndParents(domain)
        .slice(1)
        .filter((parent) => owner.has(parent));
      expect(parents, `${domain} lies below a listed domain`).to.deep.equal([]);
      const names = domain.split('.').slice(0, -1);
      const tradingName = names.find((part) => shops.includes(part) || directories.includes(part));
      expect(tradingName, domain).to.equal(undefined);
    }
    expect(shops.filter((part) => directories.includes(part))).to.deep.equal([]);
  });

  it('is commerce for marketplaces in every country', () => {
    for (const host of [
      'amazon.de',
      'amazon.co.uk',
      'smile.amazon.com',
      'ebay.com.au',
      'mercadolivre.com.br',
      'de.trustpilot.com',
    ]) {
      expect(label(host), host).to.equal('commerce');
    }
    for (const host of ['notamazon.de', 'amazon.evil.org', 'amazon.com.evil.org', 'amazon.dev', 'co.uk']) {
      expect(label(host), host).to.equal('other');
    }
  });

  it('is institutional for the suffixes of public bodies, schools and international organisations', () => {
    for (const host of [
      'gov.uk',
      'ato.gov.au',
      'sydney.edu.au',
      'u-tokyo.ac.jp',
      'army.mil',
      'nato.int',
      'x.gob.mx',
      'ec.europa.eu',
      'nist.gov',
    ]) {
      expect(label(host), host).to.equal('institutional');
    }
    for (const host of ['gov.example.com', 'ac.example.com', 'edu.com', 'notgov', 'mygov.de', 'foo.ac']) {
      expect(label(host), host).to.equal('other');
    }
  });

  it('is editorial for hosts like blog.example.com, unless a list has the domain', () => {
    for (const host of ['blog.acme.io', 'eu.news.acme.io', 'magazine.acme.io', 'press.acme.io']) {
      expect(label(host), host).to.equal('editorial');
    }
    expect(label('news.ycombinator.com')).to.equal('ugc');
    expect(label('blog.etsy.com')).to.equal('commerce');
    expect(label('newsroom.acme.io')).to.equal('other');
  });

  it('prefers the brand to a competitor, and both to the lists', () => {
    const context = {
      ...none,
      brandDomain: 'www.Amazon.com:443',
      competitorDomains: ['reddit.com', 'amazon.com', null],
    };
    expect(domainLabel('aws.amazon.com', context).classification).to.equal('owned');
    expect(domainLabel('old.reddit.com', context).classification).to.equal('competitor');
    expect(domainLabel('amazon.de', context).classification).to.equal('commerce');
  });

  it('is overridden only for exactly the reclassified domain', () => {
    const context = {
      ...none,
      brandDomain: 'acme.com',
      reclassifications: new Map([['acme.com', 'partner']]),
    };
    expect(domainLabel('WWW.acme.com', context)).to.deep.equal({
      classification: 'partner',
      overridden: true,
    });
    expect(domainLabel('docs.acme.com', context)).to.deep.equal({
      classification: 'owned',
      overridden: false,
    });
  });

  it('is other for an empty domain', () => {
    expect(domainLabel('', { ...none, brandDomain: '' })).to.deep.equal({
      classification: 'other',
      overridden: false,
    });
    expect(domainLabels.at(-1)).to.equal('other');
  });
});
