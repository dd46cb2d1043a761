import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalUrl } from '../../../src/server/citations/canonical-url.js';
import { citedUrl } from './arbitraries.js';

const url = (cited: string) => canonicalUrl(cited).url;

describe('the canonical URL', () => {
  it('keeps scheme, www, trailing slash and path case', () => {
    for (const kept of [
      'http://www.example.com/A/b/',
      'https://example.com/A',
      'https://example.com/a%7Eb?x=1',
    ]) {
      expect(url(kept)).to.equal(kept);
    }
  });

  it('drops the fragment and an empty query', () => {
    expect(url('https://example.com/a?#part')).to.equal('https://example.com/a');
    expect(url('https://example.com/a?&#part')).to.equal('https://example.com/a');
  });

  it('drops tracking pairs by their decoded key in any case', () => {
    const cited = 'https://example.com/a?UTM_Source=x&ref&Ref=1&fbclid=2&GCLID=3&%75tm_id=4&%72ef=5';
    expect(url(cited)).to.equal('https://example.com/a');
  });

  it('keeps keys that only resemble tracking keys', () => {
    for (const query of [
      'utm=1',
      'xutm_source=1',
      'referrer=1',
      'refs=1',
      'a=utm_source',
      'utm+source=1',
      '?ref=1',
      '+ref=1',
    ]) {
      expect(url(`https://example.com/a?${query}`)).to.equal(`https://example.com/a?${query}`);
    }
  });

  it('keeps the other pairs unchanged and in order', () => {
    const kept = 'b=1+2&a=%20&c&d=&a=%e4%zz&%=1&amp;e=2&f=%2F/';
    expect(url(`https://example.com/?${kept.replace('&c', '&utm_x=1&c')}`)).to.equal(
      `https://example.com/?${kept}`,
    );
  });

  it('is the same for spellings that send the same request', () => {
    expect(url(' HTTPS://Example.COM:443/a/../b c ')).to.equal('https://example.com/b%20c');
    expect(url('http://example.com:80')).to.equal('http://example.com/');
  });

  it('has the host without port and one leading www as its domain', () => {
    expect(canonicalUrl('https://WWW.Example.com:8443/').domain).to.equal('example.com');
    expect(canonicalUrl('https://www.www.example.com/').domain).to.equal('www.example.com');
    expect(canonicalUrl('http://[2001:db8::1]:8080/').domain).to.equal('[2001:db8::1]');
    expect(canonicalUrl('https://youtu.be/dQw4w9WgXcQ').domain).to.equal('youtube.com');
  });

  it('is the unchanged text without a domain if that is not an http(s) URL', () => {
    for (const cited of [
      '',
      'example.com/a?ref=1',
      'ftp://example.com/?ref=1',
      'mailto:a@b.c',
      'http://',
      ' not a url#x',
      'https://a b/',
    ]) {
      expect(canonicalUrl(cited)).to.deep.equal({ url: cited, domain: '' });
    }
  });

  it('is idempotent and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          citedUrl(),
          fc.string({ unit: 'binary' }),
          fc.webUrl({ withQueryParameters: true, withFragments: true }),
        ),
        (cited) => {
          const once = canonicalUrl(cited);
          expect(canonicalUrl(once.url)).to.deep.equal(once);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('does not change if a tracking pair is added anywhere', () => {
    const tracking = fc.constantFrom('utm_source=a', 'UTM_x', 'ref=%zz', 'fbclid=', '%67clid=1');
    const pairs = fc.array(fc.stringMatching(/^[a-qs-tv-z0-9%+=;]{1,6}$/), { maxLength: 5 });
    fc.assert(
      fc.property(pairs, tracking, fc.nat(), (kept, added, at) => {
        const cut = at % (kept.length + 1);
        const query = [...kept.slice(0, cut), added, ...kept.slice(cut)].join('&');
        const expected =
          kept.length === 0 ? 'https://example.com/p' : `https://example.com/p?${kept.join('&')}`;
        expect(url(`https://example.com/p?${query}#f`)).to.equal(expected);
      }),
    );
  });
});
