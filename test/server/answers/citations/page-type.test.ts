import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { pageTypes } from '../../../../src/contract/reads/urls.js';
import { pageType } from '../../../../src/server/answers/citations/page-type.js';
import { citedUrl } from './arbitraries.js';

type Row = [url: string, title: string | null, type: string | null];

const fixture = new URL('../../../fixtures/labelled-urls.json', import.meta.url);
const { page_types: labelled } = JSON.parse(readFileSync(fixture, 'utf8')) as { page_types: Row[] };

/** Further pages, each with a signal in the wrong place, another language, or the paths of another site. */
const FURTHER: Row[] = [
  ['https://www.reddit.com/r/CRM/wiki/index', 'CRM wiki', null],
  ['https://acme.com/', 'Acme: the best CRM software', null],
  ['https://acme.com/de/', 'How to grow', null],
  ['https://www.bestbuy.com/', 'Best Buy | Official Online Store', null],
  ['https://corporate.bestbuy.com/about', 'Best Buy', null],
  ['https://x.com/blog/best-buy-earnings', 'Best Buy earnings', null],
  ['https://x.com/blog/best-seller-strategy', 'Best seller strategy', null],
  ['https://x.com/blog/code-review', 'Why code review matters', null],
  ['https://x.com/blog/year-in-review', '2025 year in review', null],
  ['https://hbr.org/2026/05/why-strategy-fails', 'Why strategy fails - Harvard Business Review', 'news'],
  ['https://x.com/best-vs-code-extensions', 'Best VS Code extensions', 'listicle'],
  ['https://x.com/blog/vs-code-setup', 'VS Code setup', null],
  ['https://x.com/blog/vs-code-vs-cursor', 'VS Code vs Cursor', 'comparison'],
  ['https://www.g2.com/products/slack/reviews', 'Slack Reviews 2026', 'review'],
  ['https://www.g2.com/compare/slack-vs-teams', null, 'comparison'],
  ['https://www.g2.com/categories/crm', 'Best CRM Software', null],
  ['https://www.trustpilot.com/review/acme.com', 'Acme Reviews', 'review'],
  ['https://www.amazon.de/How-Win-Friends/dp/0671027034', 'How to win friends', 'product'],
  ['https://www.amazon.com/gp/bestsellers/books', 'Amazon Best Sellers', null],
  ['https://shop.example.com/products/best-gift-box', 'Best gift box', 'product'],
  ['https://shop.example.com/collections/best-gifts', 'Best gifts', null],
  ['https://www.ebay.de/itm/1234567', 'Foo', 'product'],
  ['https://example.com/blog/2026/05/01/thoughts', 'Thoughts', null],
  ['https://techcrunch.com/2026/05/01/acme-raises/', 'Acme raises', 'news'],
  ['https://www.bbc.co.uk/news/articles/c123', 'X', 'news'],
  ['https://www.techradar.com/news/best-laptop', 'Best laptop 2026', 'listicle'],
  ['https://x.de/blog/die-besten-crm-systeme', 'Die 10 besten CRM-Systeme', 'listicle'],
  ['https://x.de/crm-vergleich', null, 'comparison'],
  ['https://support.google.com/youtube/thread/12345', 'How do I', 'forum'],
  ['https://support.google.com/youtube/answer/12345', 'Upload videos', 'docs'],
  ['https://learn.microsoft.com/en-us/answers/questions/123/foo', 'foo', 'forum'],
  ['https://docs.google.com/document/d/abc/edit', 'Notes', null],
  ['https://github.com/x/y/discussions/12', 'Q', 'forum'],
  ['https://github.com/x/y/issues/12', 'Bug', null],
  ['https://example.com/hc/en-us/articles/123-Reset', 'Reset', 'docs'],
  ['https://en.wikipedia.org/wiki/Comparison_of_CRM_systems', 'Comparison of CRM systems', null],
  ['https://x.com/blog/sales-up', 'Sales up 5% compared with last year', null],
  ['https://x.com/blog/alternative-investments', 'Alternative investments', null],
  ['https://x.com/top-10-percent-earners', 'Top 10% of earners', null],
  ['https://x.com/blog/5-years-later', '5 years later', null],
  ['https://x.com/blog/acme-launches-its-best-phone-yet', 'Acme launches its best phone yet', null],
  ['https://x.com/blog/why-notion', 'Why Notion is the best note app', null],
  ['https://x.com/blog/choose', 'How to choose the best CRM', 'howto'],
  ['https://x.com/blog/7-laptops-for-students', null, 'listicle'],
  ['https://x.com/blog/seven-ways-to-save', 'Seven ways to save', 'listicle'],
  ['https://x.com/hands-on-training', 'Hands-on training', null],
  ['https://www.theverge.com/reviews/123/pixel-11-review', 'Google Pixel 11 review: fine', 'review'],
  ['https://play.google.com/store/apps/details?id=a.b', 'App', 'product'],
  ['https://apps.apple.com/us/app/foo/id12345', 'Foo', 'product'],
  ['https://www.walmart.com/ip/foo/123', 'Foo', 'product'],
  ['https://www.etsy.com/listing/123/foo', 'Foo', 'product'],
  ['https://x.com/shop', 'Shop', null],
  ['https://x.com/shop/shoes', 'Shoes', null],
  ['https://x.com/news', 'News', null],
  ['https://x.com/newsletter/foo', 'NL', null],
  ['https://x.com/blog/cooks-vs-chefs', 'Cooks versus chefs', 'comparison'],
  ['https://discuss.python.org/t/foo-bar/123/4', 'Best way', 'forum'],
  ['https://weforum.org/stories/foo', 'Foo', null],
  ['https://x.com/reviews', 'Reviews', null],
  ['https://x.com/customers', 'Best customers', null],
  ['https://x.com/products', 'Products', null],
  ['https://example.com/products/slack-vs-x', 'a', 'comparison'],
  ['https://x.com/best-practices', 'Best Practices', 'howto'],
  ['https://x.com/blog/product-review-process', 'Product review process', null],
  ['https://www.rei.com/learn/expert-advice/best-tents.html', 'Best tents', 'listicle'],
  ['https://www.cnet.com/tech/best-tv/', 'Best TV of 2026: Our picks', 'listicle'],
  ['https://example.com/changelog/2026-05-01', 'Changes', null],
  ['https://x.com/blog/our-best-quarter', 'Our best quarter ever', null],
  ['https://x.com/blog/best-time-to-post', 'Best time to post', null],
  ['https://x.com/features/top-of-funnel', 'Top of funnel', null],
  ['https://x.com/blog/24-hours-in-rome', '24 hours in Rome', null],
  ['https://x.com/review-guidelines', 'Review guidelines for apps', null],
  ['https://x.com/blog/review-of-the-year', 'Review of the year', null],
  ['https://x.com/blog/best-of-both-worlds', 'The best of both worlds', null],
  ['https://acme.com/features/comparison-tool', 'Compare', null],
  ['https://acme.com/us/en/', 'The best CRM', null],
  ['https://apnews.com/article/foo-abc123', 'Foo', 'news'],
  ['https://www.wired.com/review/dyson-v15/', 'Review: Dyson V15', 'review'],
  ['https://www.nerdwallet.com/best/credit-cards/rewards', null, 'listicle'],
];

describe('the type of a page', () => {
  for (const [url, title, type] of labelled) {
    it(`is ${type} for ${url}`, () => expect(pageType(url, title)).to.equal(type));
  }

  for (const [url, title, type] of FURTHER) {
    it(`is ${type} for "${title}" at ${url}`, () => expect(pageType(url, title)).to.equal(type));
  }

  it('is null for a text that is not an http(s) URL', () => {
    for (const text of ['', 'best crm', 'ftp://example.com/best-crm', 'http://']) {
      expect(pageType(text, '10 best CRMs')).to.equal(null);
    }
  });

  it('is one of the types of the contract, or null, for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(citedUrl(), fc.webUrl(), fc.string()),
        fc.option(fc.string({ unit: 'binary' })),
        (url, title) => {
          expect([...pageTypes, null]).to.include(pageType(url, title));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('takes at most linear time for long input', () => {
    const pieces = [
      'a',
      'a-',
      'a/',
      't5/',
      'reviews/',
      'products/a/',
      'threads/a.',
      '2026/05/',
      'blog/',
      '10 ',
      'the ',
      'a.',
    ];
    const start = performance.now();
    for (const piece of pieces) {
      const long = piece.repeat(100_000 / piece.length);
      pageType(`https://example.com/${long}`, long);
      pageType(`https://${piece.replace(/[ /]/g, '.').repeat(20_000)}example.com/`, null);
    }
    expect(performance.now() - start).to.be.below(60_000);
  });
});
