import { expect } from 'chai';
import { brand, prompt, runOf, workspace } from '../support/load.js';
import { problemsOf } from '../support/problems.js';

const dailyStat = {
  type: 'daily_stat',
  brand: 'b',
  entity: 'b',
  engine: 'aio',
  date: '2026-01-31',
  run_count: 1,
  visibility: 1,
};
const visit = { type: 'visit_day', brand: 'b', date: '2026-01-31', path: '/', visits: 1 };
const offsite = {
  type: 'offsite_mention',
  id: 'o',
  brand: 'b',
  week: '2026-11-16',
  kind: 'web',
  entity: 'b',
  title: '',
  url: '',
  found_at: '2026-11-16T00:00:00Z',
};
const thread = { type: 'community_thread', brand: 'b', url: 'https://forum.example/1' };

describe('dataset: a record', () => {
  const cases: [string, object, string][] = [
    [
      'an id with other characters',
      { ...workspace, id: 'a b' },
      'id: expected 1 to 64 characters out of A-Z a-z 0-9 _ . : -, got a b',
    ],
    [
      'an id of 65 characters',
      { ...workspace, id: 'x'.repeat(65) },
      `id: expected 1 to 64 characters out of A-Z a-z 0-9 _ . : -, got ${'x'.repeat(60)}…`,
    ],
    ['an absent field', { ...workspace, name: undefined }, 'name: expected text, got nothing'],
    ['a field of another type', { ...workspace, name: 5 }, 'name: expected text, got 5'],
    ['a blank name', { ...workspace, name: ' ' }, 'name: expected text that is not blank, got  '],
    [
      'NUL in a text',
      { ...workspace, name: 'a\u0000' },
      'name: expected text without NUL characters and without lone surrogates, got "a\\u0000"',
    ],
    [
      'half a surrogate pair',
      { ...workspace, name: 'a\ud83d' },
      'name: expected text without NUL characters and without lone surrogates, got "a\\ud83d"',
    ],
    [
      'a URL for a domain',
      { ...brand, domain: 'https://acme.com/' },
      'domain: expected a host or host:port, got https://acme.com/',
    ],
    [
      'an impossible port',
      { ...brand, domain: 'acme.com:99999' },
      'domain: expected a port from 1 to 65535, got acme.com:99999',
    ],
    [
      'a demand band with the upper bound first',
      { ...prompt, est_volume_band: [5, 1] },
      'est_volume_band: expected the lower bound first, got [5,1]',
    ],
    [
      'a URL for the domain of a competitor',
      { type: 'competitor', id: 'c', brand: 'b', name: 'C', domain: 'a/b' },
      'domain: expected a host or host:port, got a/b',
    ],
    [
      'a domain that is too long',
      { ...brand, domain: 'x'.repeat(3000) },
      `domain: expected a host or host:port of at most 259 characters, got ${'x'.repeat(60)}…`,
    ],
    [
      'a colour name',
      { type: 'tag_group', id: 'g', brand: 'b', name: 'G', color: 'red', tags: [] },
      'color: expected a colour #rrggbb, got red',
    ],
    [
      'a band of one number',
      { ...prompt, est_volume_band: [1] },
      'est_volume_band: expected a list of at least 2 elements, got [1]',
    ],
    [
      'an unknown engine',
      runOf('r', { engine: 'bard' }),
      'engine: expected one of chatgpt, aio, aimode, copilot, perplexity, gemini, grok, claude, deepseek, llama, got bard',
    ],
    [
      'a time without offset',
      runOf('r', { collected_at: '2026-11-20T08:00:00' }),
      'collected_at: expected an RFC 3339 time with offset, such as 2026-11-20T08:30:00Z, got 2026-11-20T08:00:00',
    ],
    [
      'a time on a date that does not exist',
      runOf('r', { collected_at: '2026-02-29T08:00:00Z' }),
      'collected_at: expected a time on a date that exists, got 2026-02-29T08:00:00Z',
    ],
    [
      'a time before 1970 in UTC',
      { ...brand, created_at: '1970-01-01T00:00:00+01:00' },
      'created_at: expected a time of the years 1970 to 2999 in UTC, got 1970-01-01T00:00:00+01:00',
    ],
    [
      'a date that does not exist',
      { ...visit, date: '2026-04-31' },
      'date: expected a date that exists, got 2026-04-31',
    ],
    [
      'a date in another form',
      { ...visit, date: '1.4.2026' },
      'date: expected a date YYYY-MM-DD, got 1.4.2026',
    ],
    [
      'a week that does not begin on a Monday',
      { ...offsite, week: '2026-11-17' },
      'week: expected the Monday of the week, got 2026-11-17',
    ],
    [
      'an order below 1',
      runOf('r', { mentions: [{ name: 'A', order: 0 }] }),
      'mentions[0].order: expected a number of at least 1, got 0',
    ],
    [
      'an order that is not a whole number',
      runOf('r', { mentions: [{ name: 'A', order: 1.5 }] }),
      'mentions[0].order: expected a whole number, got 1.5',
    ],
    [
      'an order that is too large',
      runOf('r', { mentions: [{ name: 'A', order: 2 ** 31 }] }),
      'mentions[0].order: expected a number of at most 2147483647, got 2147483648',
    ],
    [
      'a slot below 1',
      runOf('r', { carousels: [{ placements: [{ slot: 0, product: 'P' }] }] }),
      'carousels[0].placements[0].slot: expected a number of at least 1, got 0',
    ],
    [
      'evidence without a tone',
      runOf('r', { mentions: [{ name: 'A', order: 1, evidence: 'E' }] }),
      'mentions[0].evidence: expected no evidence where there is no sentiment, got E',
    ],
    [
      'an unknown tone',
      runOf('r', { mentions: [{ name: 'A', order: 1, sentiment: 'glad' }] }),
      'mentions[0].sentiment: expected one of negative, neutral, positive, got glad',
    ],
    [
      'a carousel on an engine without product data',
      runOf('r', { engine: 'gemini', carousels: [{ placements: [] }] }),
      'carousels: expected none: only chatgpt, aio, aimode, perplexity carry product data, or runs whose observes has carousels, got [{"placements":[]}]',
    ],
    [
      'an ad on an engine without ads',
      runOf('r', { engine: 'aio', ad: {} }),
      'ad: expected none: only chatgpt states ads, or runs whose observes has ads, got {}',
    ],
    [
      'a fraction above 1',
      { ...dailyStat, citation_share: 1.01 },
      'citation_share: expected a number of at most 1, got 1.01',
    ],
    [
      'a score below 0',
      { ...dailyStat, visibility: -0.1 },
      'visibility: expected a number of at least 0, got -0.1',
    ],
    [
      'a count that is too large for its column',
      { ...dailyStat, run_count: 2 ** 31 },
      'run_count: expected a number of at most 2147483647, got 2147483648',
    ],
    [
      'a flag as text',
      { ...thread, brand_in_thread: 'yes' },
      'brand_in_thread: expected true or false, got yes',
    ],
    [
      'an unknown kind of thread',
      { ...thread, kind: 'blog' },
      'kind: expected one of forum, video, qa, got blog',
    ],
    ['a value instead of a list', runOf('r', { mentions: {} }), 'mentions: expected a list, got {}'],
    ['a value instead of an object', runOf('r', { ad: 'x' }), 'ad: expected an object, got x'],
    [
      'a crawler key of another length',
      { type: 'crawler_event', brand: 'b', agent: 'a', path: '/', time: '2026-11-20T00:00:00Z', key: 'x' },
      'key: expected 22 base64url characters, got x',
    ],
    [
      'a path that is too long',
      { type: 'crawler_event', brand: 'b', agent: 'a', path: '/'.repeat(2049), time: '2026-11-20T00:00:00Z' },
      `path: expected text of at most 2048 characters, got ${'/'.repeat(60)}…`,
    ],
  ];
  for (const [what, record, words] of cases) {
    it(`with ${what} is refused`, () => {
      expect(problemsOf(record)).to.deep.equal([words]);
    });
  }
});
