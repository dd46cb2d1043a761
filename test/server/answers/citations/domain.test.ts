import { expect } from 'chai';
import fc from 'fast-check';
import {
  domainAndParents,
  isInDomainSet,
  isSameOrSubdomain,
  normaliseDomain,
} from '../../../../src/server/answers/citations/domain.js';

const name = fc
  .array(fc.constantFrom('www', 'a', 'b', 'example', 'com', 'co', 'uk', '1'), { maxLength: 5 })
  .map((labels) => labels.join('.'));

describe('a domain', () => {
  it('is normalised to lower case, without port and one leading www', () => {
    const cases: [string, string][] = [
      ['WWW.Example.com:8080', 'example.com'],
      ['example.com', 'example.com'],
      ['www.www.example.com', 'www.example.com'],
      ['wwwexample.com', 'wwwexample.com'],
      ['www.', 'www.'],
      ['localhost:3000', 'localhost'],
      ['[::1]:3000', '[::1]'],
      ['[2001:DB8::1]', '[2001:db8::1]'],
      ['2001:db8::1', '2001:db8::1'],
      ['München.de', 'xn--mnchen-3ya.de'],
      ['', ''],
    ];
    for (const [written, normalised] of cases) expect(normaliseDomain(written), written).to.equal(normalised);
  });

  it('matches itself and its subdomains, but not other names with the same end', () => {
    expect(isSameOrSubdomain('example.com', 'www.example.com:443')).to.equal(true);
    expect(isSameOrSubdomain('docs.eu.example.com', 'example.com')).to.equal(true);
    for (const host of ['notexample.com', 'example.com.evil.com', 'com', 'example.co']) {
      expect(isSameOrSubdomain(host, 'example.com'), host).to.equal(false);
    }
    expect(isSameOrSubdomain('1.2.3.4', '3.4')).to.equal(false);
  });

  it('never matches if one side is empty', () => {
    expect(isSameOrSubdomain('', '')).to.equal(false);
    expect(isSameOrSubdomain('example.com', '')).to.equal(false);
    expect(isSameOrSubdomain('', 'example.com')).to.equal(false);
  });

  it('is listed with its parents, most specific first', () => {
    expect(domainAndParents('www.a.b.com')).to.deep.equal(['a.b.com', 'b.com', 'com']);
    expect(domainAndParents('1.2.3.4')).to.deep.equal(['1.2.3.4']);
    expect(domainAndParents('')).to.deep.equal([]);
    expect(isInDomainSet('x.b.com', new Set(['b.com']))).to.equal(true);
    expect(isInDomainSet('xb.com', new Set(['b.com']))).to.equal(false);
  });

  it('is among the parents of a host exactly if the host is the same or a subdomain', () => {
    fc.assert(
      fc.property(name, name, (host, domain) => {
        const listed = domainAndParents(host).includes(normaliseDomain(domain));
        expect(isSameOrSubdomain(host, domain)).to.equal(listed);
      }),
      { numRuns: 2000 },
    );
  });

  it('is normalised from any text without an error', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void normaliseDomain(text)));
  });
});
