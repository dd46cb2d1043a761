import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalPath, identityInput, Ordinals, PATH_LIMIT } from '../../src/logs/hit.js';
import { combined, parseText } from './support/parse.js';

const inputs = (body: string): string[] => parseText(body).hits.map(identityInput);

describe('canonicalPath', () => {
  it('never returns a path that a database cannot store', () => {
    expect(canonicalPath('/a\0b')).to.equal('/a\ufffdb');
    expect(canonicalPath('/\ud800x')).to.equal('/\ufffdx');
    expect(canonicalPath(`/${'x'.repeat(PATH_LIMIT - 2)}\u{1f600}`)?.isWellFormed()).to.equal(true);
  });

  it('is null for a target without a path', () => {
    for (const target of ['', '*', 'www.example.com:443', 'about'])
      expect(canonicalPath(target)).to.equal(null);
    expect(canonicalPath('?x=1')).to.equal('/');
  });
});

describe('the identity of a hit', () => {
  it('is the content of the line and the number of equal lines before it', () => {
    const line =
      'www.example.com 192.0.2.1 - - [20/Nov/2026:10:18:45 +0000] "GET /a?x=1 HTTP/1.1" 200 17 "https://r.example/" "GPTBot/1.2"';
    const tuple = [
      '20/Nov/2026:10:18:45 +0000',
      '192.0.2.1',
      'GET',
      '/a?x=1',
      200,
      17,
      'GPTBot/1.2',
      'https://r.example/',
      'www.example.com',
    ].join('\x1f');
    expect(parseText(`${line}\n${combined()}\n${line}\n`).hits.map((hit) => hit.identity)).to.deep.equal([
      { kind: 'tuple', tuple, ordinal: 0 },
      parseText(combined()).hits[0]?.identity,
      { kind: 'tuple', tuple, ordinal: 1 },
    ]);
  });

  it('does not depend on the escapes of the server', () => {
    const nginx = combined({ request: 'GET /a\\x22\\xC3\\xA9 HTTP/1.1' });
    const apache = combined({ request: 'GET /a\\"\\xc3\\xa9 HTTP/1.1' });
    const raw = combined({ request: 'GET /a\\"é HTTP/1.1' });
    expect(new Set([...inputs(nginx), ...inputs(apache), ...inputs(raw)]).size).to.equal(1);
  });

  it('differs with each part of the line', () => {
    const lines = [
      combined(),
      combined({ time: '20/Nov/2026:10:18:46 +0000' }),
      combined().replace('192.0.2.1', '192.0.2.2'),
      combined({ request: 'HEAD /a HTTP/1.1' }),
      combined({ request: 'GET /a?x HTTP/1.1' }),
      combined().replace(' 200 ', ' 304 '),
      combined().replace(' 17 ', ' 18 '),
      combined({ userAgent: 'GPTBot/1.3' }),
      combined().replace('"-" "', '"x" "'),
      `host.example ${combined()}`,
    ];
    expect(new Set(inputs(lines.join('\n'))).size).to.equal(lines.length);
    expect(inputs(lines.join('\n')).every((input) => input.startsWith('1\x1ftuple\x1f0\x1f'))).to.equal(true);
  });

  it('is the same when a body is shipped again', () => {
    const body = Array.from({ length: 20 }, (_, i) => combined({ request: `GET /${i % 7} HTTP/1.1` })).join(
      '\n',
    );
    expect(inputs(body)).to.deep.equal(inputs(body));
    expect(new Set(inputs(body)).size).to.equal(20);
  });

  it('is the request id with the path, if there is an id', () => {
    const row = (id: string, path: string): string =>
      JSON.stringify({
        RayID: id,
        ClientRequestURI: path,
        ClientRequestUserAgent: 'GPTBot',
        EdgeStartTimestamp: '2026-11-20T10:18:45Z',
      });
    expect(
      inputs([row('r', '/a?x'), row('r', '/a?y'), row('r', '/b'), row('s', '/a')].join('\n')),
    ).to.deep.equal(['1\x1fid\x1fr\x1f/a', '1\x1fid\x1fr\x1f/a', '1\x1fid\x1fr\x1f/b', '1\x1fid\x1fs\x1f/a']);
  });
});

describe('the numbers of equal texts', () => {
  it('count the equal texts before, for any texts', () => {
    const text = fc.oneof(
      fc.constantFrom('', 'a', 'b', 'ab', 'ba', '\0', '\ud800'),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 300 }), (texts) => {
        const ordinals = new Ordinals();
        const seen = new Map<string, number>();
        for (const each of texts) {
          const before = seen.get(each) ?? 0;
          seen.set(each, before + 1);
          expect(ordinals.next(each)).to.equal(before);
        }
      }),
    );
  });

  it('are correct for hundreds of thousands of lines that differ in one digit', () => {
    const ordinals = new Ordinals();
    const texts = Array.from(
      { length: 300_000 },
      (_, i) => `2026-11-20T08:00:00Z\x1f192.0.2.1\x1fGET\x1f/${i}`,
    );
    expect(texts.filter((text) => ordinals.next(text) !== 0)).to.deep.equal([]);
    expect(texts.filter((text) => ordinals.next(text) !== 1)).to.deep.equal([]);
  });
});
