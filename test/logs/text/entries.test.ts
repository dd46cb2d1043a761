import { expect } from 'chai';
import { combined, parseChunks, parseText, type Verdict, verdictOf } from '../support/parse.js';

const pathOf = (request: string): string | null => parseText(combined({ request })).hits[0]?.path ?? null;

describe('the verdict on a line', () => {
  const requests: [request: string, path: string | null][] = [
    ['GET /a HTTP/1.1', '/a'],
    ['GET /', '/'],
    ['GET  /two  HTTP/1.1', '/two'],
    ['GET /with space/x HTTP/1.1', '/with space/x'],
    ['GET /with space', '/with space'],
    ['GET http://www.example.com/abs?x=1 HTTP/1.1', '/abs'],
    ['GET https://www.example.com HTTP/1.1', '/'],
    ['GET https://www.example.com?x=1 HTTP/1.1', '/'],
    ['GET /path#frag HTTP/1.1', '/path'],
    ['GET //double//slash HTTP/1.1', '//double//slash'],
    ['GET /../etc/passwd HTTP/1.1', '/../etc/passwd'],
    ['GET /A%2fb/ HTTP/1.1', '/A%2fb/'],
    ['GET / HTTP/9.9', '/'],
    ['M-SEARCH /x HTTP/1.1', '/x'],
    ['CONNECT www.google.com:443 HTTP/1.1', null],
    ['OPTIONS * HTTP/1.1', null],
    ['PRI * HTTP/2.0', null],
    ['FOO BAR BAZ QUX', null],
    ['<SCRIPT>NXSSTEST</SCRIPT> / HTTP/1.1', null],
    ['GET', null],
    ['GET HTTP/1.1', null],
    ['-', null],
    ['', null],
    ['\\x16\\x03\\x01\\x02', null],
    ['SSH-2.0-OpenSSH_9.2', null],
  ];

  for (const [request, path] of requests) {
    it(`"${request}" is an entry ${path === null ? 'without a path' : `for ${path}`}`, () => {
      expect(parseText(combined({ request })).counts).to.include({ totalLines: 1, unparsed: 0 });
      expect(pathOf(request)).to.equal(path);
    });
  }

  const entries: [what: string, line: string, verdict: Verdict][] = [
    [
      'an idle connection of Apache',
      '192.0.2.1 - - [20/Nov/2026:10:18:45 +0000] "-" 408 - "-" "-"',
      'request',
    ],
    ['no response size', combined().replace('200 17', '304 -'), 'matched'],
    ['no status', combined().replace('200 17', '- 17'), 'matched'],
    ['a missing user agent', combined({ userAgent: '-' }), 'request'],
    ['an empty user agent', combined({ userAgent: '' }), 'request'],
    [
      'an agent in the path only',
      combined({ request: 'GET /GPTBot HTTP/1.1', userAgent: 'curl/8' }),
      'request',
    ],
    [
      'an agent in the referer only',
      combined({ userAgent: 'curl/8' }).replace('"-" "c', '"GPTBot" "c'),
      'request',
    ],
  ];
  for (const [what, line, verdict] of entries)
    it(`${what}: ${verdict}`, () => expect(verdictOf(line)).to.equal(verdict));

  it('reports whether any line had a user agent', () => {
    expect(parseText(combined({ userAgent: '-' })).counts.hasUserAgent).to.equal(false);
    expect(parseText(combined({ userAgent: 'curl/8' })).counts.hasUserAgent).to.equal(true);
  });

  it('has the status as a number, null without one', () => {
    expect(parseText(combined()).hits[0]?.status).to.equal(200);
    expect(parseText(combined().replace('200 17', '- 17')).hits[0]?.status).to.equal(null);
  });
});

describe('the parser of escapes', () => {
  const rows: [what: string, written: string, read: string][] = [
    ['a quote of nginx', '/a\\x22b', '/a"b'],
    ['a quote of Apache', '/a\\"b', '/a"b'],
    ['a backslash of nginx', '/a\\x5Cb', '/a\\b'],
    ['a backslash of Apache', '/a\\\\b', '/a\\b'],
    ['a tab of nginx', '/a\\x09b', '/a\tb'],
    ['a tab of Apache', '/a\\tb', '/a\tb'],
    ['other controls of Apache', '/\\n\\r\\b\\v\\f', '/\n\r\b\v\f'],
    ['UTF-8 of nginx', '/caf\\xC3\\xA9', '/café'],
    ['UTF-8 of Apache', '/caf\\xc3\\xa9', '/café'],
    ['plain UTF-8', '/café', '/café'],
    ['delete', '/\\x7F', '/\x7f'],
    ['invalid UTF-8', '/raw\\xFF\\xFE', '/raw\ufffd\ufffd'],
    ['a zero byte, which databases refuse', '/a\\x00b', '/a\ufffdb'],
    ['an unknown escape', '/a\\qb', '/a\\qb'],
  ];
  for (const [what, written, read] of rows) {
    it(`reads ${what}`, () => expect(pathOf(`GET ${written} HTTP/1.1`)).to.equal(read));
  }

  it('reads escapes in user agents, where an escaped quote does not end the field', () => {
    expect(verdictOf(combined({ userAgent: 'x \\"GPTBot\\" y' }))).to.equal('matched');
    expect(verdictOf(combined({ userAgent: 'bad\\xFF\\xFEGPTBot/1.0' }))).to.equal('matched');
    expect(verdictOf(combined({ userAgent: '\\x47PTBot/1.0' }))).to.equal('matched');
  });

  it('replaces raw bytes that are not UTF-8', () => {
    const [before, behind] = combined({ request: 'GET /a| HTTP/1.1' }).split('|');
    const { hits } = parseChunks([Buffer.from(before ?? ''), Buffer.from([0xff]), Buffer.from(behind ?? '')]);
    expect(hits[0]?.path).to.equal('/a\ufffd');
  });
});
