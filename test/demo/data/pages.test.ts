import { expect } from 'chai';
import { domainLabels } from '../../../src/contract/reads/sources.js';
import { pageTypes } from '../../../src/contract/reads/urls.js';
import { espresso } from '../../../src/demo/data/market.js';
import { randomOf } from '../../../src/demo/data/random.js';
import { spelled } from '../../../src/demo/data/runs.js';
import { canonicalUrl } from '../../../src/server/answers/citations/canonical-url.js';
import { domainLabel } from '../../../src/server/answers/citations/domain-labels.js';
import { pageType } from '../../../src/server/answers/citations/page-type.js';

const pages = [...espresso.pages, ...Object.values(espresso.sites).flat()];

describe('the cited pages of the demo', () => {
  it('have every page type, and also none', () => {
    const types = new Set(pages.map(({ url, title }) => pageType(url, title ?? null)));
    expect(types).to.deep.equal(new Set([...pageTypes, null]));
  });

  it('are on domains of every label', () => {
    const [brand, ...rivals] = espresso.entities.map(({ domain }) => domain ?? '');
    const context = { brandDomain: brand!, competitorDomains: rivals, reclassifications: new Map() };
    const labels = new Set(
      pages.map(({ url }) => domainLabel(canonicalUrl(url).domain, context).classification),
    );
    for (const label of domainLabels) expect([...labels], label).to.include(label);
  });

  it('have the same canonical URL in all spellings of engines', () => {
    for (const { url } of espresso.pages) {
      for (let i = 0; i < 20; i++) {
        const link = spelled(url, 'utm_source=chatgpt.com', randomOf(url, i));
        expect(canonicalUrl(link).url, link).to.equal(canonicalUrl(url).url);
      }
    }
  });

  it('are in the list only once', () => {
    const urls = pages.map(({ url }) => canonicalUrl(url).url);
    expect(new Set(urls).size).to.equal(urls.length);
  });
});
