import { expect } from 'chai';
import { combined, parseText, type Verdict, verdictOf } from '../support/parse.js';

const start = '192.0.2.1 - - [20/Nov/2026:10:18:45 +0000]';
const envoy =
  '[2026-11-20T10:18:45.310Z] "GET /api/x?y=1 HTTP/2" 200 - 154 0 226 100 "192.0.2.1" "GPTBot/1.2" "cc21d9b0" "shop.example" "tcp://10.0.2.1:80"';
const alb =
  'https 2026-11-20T10:18:45.186641Z app/lb/50dc6c 192.0.2.1:2817 10.0.0.1:80 0.000 0.001 0.000 200 200 34 366 "GET https://www.example.com:443/a/b?x=1 HTTP/2.0" "GPTBot/1.2" ECDHE TLSv1.2 arn:aws "Root=1-58" "www.example.com" "-" 0';
const heroku =
  '<158>1 2026-11-20T10:18:45.000000+00:00 host heroku router - at=info method=GET path="/x" host=app.example request_id=8601b555 fwd="192.0.2.1" dyno=web.1 status=200 bytes=13';
const haproxy =
  'Nov 20 10:18:45 lb haproxy[14389]: 192.0.2.1:33317 [20/Nov/2026:10:18:45.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 ';

const gptbot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)';
const claudebot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)';
const get = '"GET /index.html HTTP/1.1"';
const haproxyLines: [what: string, line: string, verdict: Verdict][] = [
  ['HAProxy, a user agent with an address', `${haproxy}{${gptbot}} ${get}`, 'matched'],
  ['HAProxy, after the host', `${haproxy}{www.example.com|${gptbot}} {} ${get}`, 'matched'],
  [
    'HAProxy, before host and addresses',
    `${haproxy}{${claudebot}|example.com:443|192.0.2.9, 192.0.2.8} ${get}`,
    'matched',
  ],
  [
    'HAProxy, after a referer',
    `${haproxy}{https://example.com/a?b=GPTBot/1|${gptbot}} {nginx/1.22|17} ${get}`,
    'matched',
  ],
  [
    'HAProxy, after media types',
    `${haproxy}{text/html,*/*|gzip, br|meta-externalagent/1.1 (+https://x.example/)} ${get}`,
    'matched',
  ],
  ['HAProxy, a name without a version', `${haproxy}{example.com|Claude-User} ${get}`, 'matched'],
  ['HAProxy, quoted captures', `${haproxy}"{www.example.com|${gptbot}}" "{}" ${get}`, 'matched'],
  [
    'HAProxy, a bot in the referer only',
    `${haproxy}{https://example.com/GPTBot/1.2|curl/8.5} ${get}`,
    'request',
  ],
  ['HAProxy, a bot in the response only', `${haproxy}{www.example.com} {GPTBot/1.2} ${get}`, 'request'],
  ['HAProxy, empty captures', `${haproxy}{||} {} ${get}`, 'request'],
  [
    'HAProxy with option httpslog',
    `${haproxy}{www.example.com|${gptbot}} {} ${get} 0/0/0/0/0 www.example.com/TLSv1.3/TLS_AES_256_GCM_SHA384`,
    'matched',
  ],
  ['HAProxy, a truncated request', `${haproxy}{${gptbot}} "GET /index.html`, 'matched'],
  ['HAProxy, an invalid request', `${haproxy}{${gptbot}} "<BADREQ>"`, 'request'],
  [
    'HAProxy in TCP mode',
    haproxy.replace('10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0', '1/0/5007 212 -- 0/0/0/0/3'),
    'unparsed',
  ],
];

const fields = (quoted: string): string => `${start} "GET /a HTTP/1.1" 200 17 ${quoted}`;
const s3 = `79a59df9 bucket [20/Nov/2026:10:18:45 +0000] 192.0.2.1 - 3E57427F REST.GET.OBJECT a "GET /a HTTP/1.1" 200 - 17 17 7 6 "-" "GPTBot/1.2" - x= - - -`;
const bunny = 'HIT|200|1795169925421|17|390|192.0.2.1|-|https://x.b-cdn.net/a|WA|GPTBot/1.2|322b688b|DE';
const proxyManager =
  '[20/Nov/2026:10:18:45 +0000] - 200 200 - GET https www.example.com "/a" [Client 192.0.2.1] [Length 17] [Gzip -] [Sent-to 10.0.0.1] "GPTBot/1.2" "-"';

describe('text formats', () => {
  const rows: [what: string, line: string, verdict: Verdict][] = [
    ['combined', combined(), 'matched'],
    ['combined with a forwarded-for field', combined({ rest: ' "192.0.2.9, 192.0.2.8"' }), 'matched'],
    ['common', `${start} "GET /a HTTP/1.1" 200 17`, 'request'],
    ['host and port in front', `www.example.com:80 ${combined()}`, 'matched'],
    ['host without port in front', `www.example.com ${combined()}`, 'matched'],
    [
      'address with port, then host',
      `192.0.2.1:5000 www.example.com:80 - - ${combined().slice(14)}`,
      'matched',
    ],
    [
      'ingress-nginx',
      combined({ rest: ' 512 0.004 [default-shop-80] [] 10.0.0.7:8080 17 0.004 200 4f2a' }),
      'matched',
    ],
    ['named suffix', combined({ rest: ' X-Forwarded-For="192.0.2.9, 192.0.2.8"' }), 'matched'],
    [
      'named suffix after common',
      `${start} "GET /a HTTP/1.1" 200 17 X-Forwarded-For="192.0.2.9, 192.0.2.8"`,
      'request',
    ],
    ['Traefik', combined({ rest: ' 42 "web@docker" "http://10.0.0.2:80" 123ms' }), 'matched'],
    [
      'a duration between size and referer',
      `${start} "GET /a HTTP/1.1" 200 17 0.004 "-" "GPTBot/1.2"`,
      'matched',
    ],
    ['ALB', alb, 'matched'],
    ['classic ELB', alb.replace('https 2026', '2026'), 'matched'],
    ['Envoy', envoy, 'matched'],
    [
      'Envoy with a failure reason, as in a mesh',
      envoy.replace('200 - 154', '200 - via_upstream - "-" 154'),
      'matched',
    ],
    ['Envoy without a response', envoy.replace('" 200 -', '" 0 DC'), 'matched'],
    ['Heroku router, without a user agent', heroku, 'request'],
    ['Heroku application output', '<40>1 2026-11-20T10:18:45+00:00 host app web.3 - Starting', 'unparsed'],
    ['HAProxy', `${haproxy}"GET /index.html HTTP/1.1"`, 'request'],
    [
      'HAProxy that captures host and user agent',
      `${haproxy}{example.com|GPTBot/1.2} {} "GET /index.html HTTP/1.1"`,
      'matched',
    ],
    ...haproxyLines,
    ['an address that is a name', combined().replace('192.0.2.1', 'crawler.example.com'), 'matched'],
    ['an unknown address', combined().replace('192.0.2.1', 'unknown'), 'matched'],
    ['IPv6', combined().replace('192.0.2.1', '::1'), 'matched'],
    ['IPv6 in brackets', combined().replace('192.0.2.1', '[::1]:443'), 'matched'],
    [
      'a chain of addresses',
      combined().replace('192.0.2.1', '192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4'),
      'matched',
    ],
    ['a user with a space', combined().replace('- - [', '- john doe ['), 'matched'],
    ['an empty user of Apache', combined().replace('- - [', '- "" ['), 'matched'],
    ['a time with milliseconds', combined({ time: '20/Nov/2026:10:18:45.123 +0000' }), 'matched'],
    ['an ISO time', combined({ time: '2026-11-20T10:18:45+00:00' }), 'matched'],
    ['a truncated user agent', combined().slice(0, -1), 'matched'],
    ['a truncated user agent before a CR', `${combined().slice(0, -1)}\r`, 'matched'],
    ['a truncated referer', `${start} "GET /GPTBot HTTP/1.1" 200 17 "https://x.example/GPTBot`, 'request'],
    ['a truncated request', `${start} "GET /GPTBot`, 'unparsed'],
    ['a truncated status', `${start} "GET /a HTTP/1.1" 20`, 'unparsed'],
    ['CR LF', `${combined()}\r\n`, 'matched'],
    ['a byte-order mark', `\ufeff${combined()}`, 'matched'],
    ['spaces in front', `  ${combined()}`, 'matched'],
    ['blank', '  \t', 'blank'],
    ['comment', '# GPTBot was here', 'blank'],
    ['a prefix of the journal', `Sep 11 10:18:45 host nginx[7]: ${combined()}`, 'matched'],
    ['a prefix before a prefix', `web-1  | Sep 11 10:18:45 host nginx[7]: ${combined()}`, 'matched'],
    ['a prefix before JSON', `web-1  | {"url":"/a","ua":"GPTBot/1.2","ts":1795169925}`, 'matched'],
    [
      'a prefix before JSON that is not a request',
      `web-1  | {"level":"info","msg":"started"}`,
      'not a request',
    ],
    ['a prefix before prose', '2026-11-20T10:18:45.1Z stdout F GPTBot visited the page', 'unparsed'],
    ['another prefix', `web 1 up ${combined()}`, 'unparsed'],
    [
      'Platform.sh, the log of PHP',
      '2026-11-20T10:18:45Z GET 200 2.140 ms 2048 kB 0.93% /some/url',
      'unparsed',
    ],
    ['S3, no user agent', s3.replace(/"GPTBot.*?"/, '-'), 'request'],
    ['S3, an operation without a request', s3.replace('"GET /a HTTP/1.1"', '-'), 'request'],
    ['S3, truncated', s3.slice(0, 100), 'unparsed'],
    ['Bunny, a bar in the user agent', bunny.replace('GPTBot', 'a|GPTBot'), 'matched'],
    ['Bunny, too few columns', bunny.slice(0, bunny.lastIndexOf('|')), 'unparsed'],
    ['Nginx Proxy Manager, truncated before the user agent', proxyManager.slice(0, 120), 'request'],
    ['Nginx Proxy Manager, truncated in the target', proxyManager.slice(0, 80), 'unparsed'],
    [
      'Nginx Proxy Manager, several upstreams',
      proxyManager.replace('- 200 200', '- 502, 200 200'),
      'matched',
    ],
    [
      'a field before the referer',
      fields('"www.example.com" "https://x.example/" "Mozilla/5.0 GPTBot/1.2"'),
      'matched',
    ],
    ['two fields before the referer', fields('"a" "b" "-" "Mozilla/5.0 GPTBot/1.2" "192.0.2.9"'), 'matched'],
    ['a field before the referer and a bare name', fields('"www.example.com" "-" "ClaudeBot"'), 'matched'],
    [
      'a field before a referer that contains an agent',
      fields('"a" "https://x.example/GPTBot/1" "curl/8.5"'),
      'request',
    ],
    ['no user agent before other fields', fields('"-" "-" "192.0.2.9" "GET"'), 'request'],
    ['a bare name before other fields', fields('"-" "ClaudeBot" "192.0.2.9" "gzip/1"'), 'matched'],
    [
      'fields truncated before the user agent',
      fields('"www.example.com" "-" "Mozilla/5.0 GPTBot/1.2'),
      'matched',
    ],
    ['a host between request and status', combined().replace('" 200', '" "www.example.com" 200'), 'matched'],
    ['only empty fields', fields('"" ""'), 'request'],
    ['prose', 'GPTBot visited the page', 'unparsed'],
    [
      'an error log',
      '2026/11/20 10:18:45 [error] 7#7: *1 open() failed, request: "GET / HTTP/1.1"',
      'unparsed',
    ],
    ['no time', '192.0.2.1 - - [] "GET /a HTTP/1.1" 200 17 "-" "GPTBot/1.2"', 'unparsed'],
    ['a time without zone', combined({ time: '20/Nov/2026:10:18:45' }), 'unparsed'],
    ['a foreign month', combined({ time: '20/Mai/2026:10:18:45 +0000' }), 'unparsed'],
    ['a day that does not exist', combined({ time: '31/Feb/2026:10:18:45 +0000' }), 'unparsed'],
    ['a minute that does not exist', combined({ time: '20/Nov/2026:10:61:45 +0000' }), 'unparsed'],
    ['before 2000', combined({ time: '31/Dec/1999:23:59:59 +0000' }), 'unparsed'],
    ['the first second of 2000', combined({ time: '01/Jan/2000:00:00:00 +0000' }), 'matched'],
    ['a day ahead', combined({ time: '22/Nov/2026:00:00:00 +0000' }), 'matched'],
    ['more than a day ahead', combined({ time: '22/Nov/2026:00:00:01 +0000' }), 'unparsed'],
    ['a leap second', combined({ time: '31/Dec/2016:23:59:60 +0000' }), 'matched'],
  ];

  for (const [what, line, verdict] of rows)
    it(`${what}: ${verdict}`, () => expect(verdictOf(line)).to.equal(verdict));

  it('reads hostile lines in linear time', () => {
    const slow = [
      `${haproxy}"${' '.repeat(65_000)}"x`,
      JSON.stringify({ url: '/a', ua: 'GPTBot', time: `2026-11-20T10:18:45.${'1'.repeat(65_000)}\u2028x` }),
      `${haproxy}{${'|'.repeat(65_000)}} "GET / HTTP/1.1"`,
      `${proxyManager.slice(0, 50)}${' 200 - A'.repeat(8000)}`,
    ];
    const { counts } = parseText(slow.flatMap((line) => Array.from({ length: 40 }, () => line)).join('\n'));
    expect(counts).to.include({ records: 160, totalLines: 80, unparsed: 80 });
    // In linear time it takes less than a second; an expression that backtracks takes minutes.
  }).timeout(40_000);

  it('includes zone and fraction in the time', () => {
    const times = [
      combined({ time: '20/Nov/2026:10:18:45 +0200' }),
      combined({ time: '20/Nov/2026:10:18:45 -0330' }),
      combined({ time: '20/Nov/2026:10:18:45.250 +0000' }),
    ].map((line) => parseText(line).hits[0]?.time);
    const base = Date.UTC(2026, 10, 20, 10, 18, 45);
    expect(times).to.deep.equal([base - 7_200_000, base + 12_600_000, base + 250]);
  });

  it('keeps the newest time of any request, matched or not, in any order', () => {
    const lines = ['20/Nov/2026:10:00:00 +0000', '20/Nov/2026:12:00:00 +0000', '20/Nov/2026:11:00:00 +0000'];
    const { counts } = parseText(lines.map((time) => combined({ time, userAgent: 'curl/8' })).join('\n'));
    expect(counts.newestTime).to.equal(Date.UTC(2026, 10, 20, 12));
    expect(parseText('nothing\n').counts.newestTime).to.equal(null);
  });

  it('identifies a record of Envoy by its request id, and others by their content', () => {
    expect(parseText(envoy).hits[0]?.identity).to.deep.equal({ kind: 'id', id: 'cc21d9b0' });
    expect(parseText(alb).hits[0]).to.deep.include({ path: '/a/b', status: 200 });
  });
});

describe('CSV of Logpush', () => {
  const header =
    'ClientIP,ClientRequestURI,ClientRequestUserAgent,ClientRequestSource,EdgeStartTimestamp,RayID';
  const row = (more: Record<string, string> = {}): string => {
    const cells = { uri: '/a,b', agent: 'say ""hi"" GPTBot/1.2, +https://x', source: 'eyeball', ...more };
    return `192.0.2.1,"${cells.uri}","${cells.agent}",${cells.source},2026-11-20T10:18:45Z,ray1`;
  };

  it('reads rows below their column names, quoted or not', () => {
    const quoted = `"${header.replaceAll(',', '","')}"`;
    for (const names of [header, quoted]) {
      const { counts, hits } = parseText(`${names}\r\n${row()}\r\n${row({ agent: 'curl/8.5' })}\n`);
      expect(counts).to.include({ totalLines: 2, matched: 1, blank: 1, unparsed: 0 });
      expect(hits[0]).to.deep.include({ path: '/a,b', identity: { kind: 'id', id: 'ray1' } });
    }
  });

  it('reads other columns below other names, and recognises rows that are not visits', () => {
    const body = `${header}\n${row({ source: 'edgeWorkerFetch' })}\nRayID,ClientRequestURI,EdgeStartTimestamp,ClientRequestUserAgent\nr,/c,1795169925,GPTBot/1.2\n`;
    const { counts, hits } = parseText(body);
    expect(counts).to.include({ totalLines: 1, notRequests: 1, blank: 2 });
    expect(hits[0]?.path).to.equal('/c');
  });

  it('reports a row without column names, with another length, or with an open quote', () => {
    expect(verdictOf(row())).to.equal('unparsed');
    expect(parseText(`${header}\nx,y\n${row().replace('GPTBot', '" GPTBot')}\n`).counts).to.include({
      unparsed: 2,
    });
    expect(parseText(`${header}\n${combined()}\n`).counts).to.include({ matched: 1, unparsed: 0 });
  });
});

describe('W3C logs', () => {
  const header =
    '#Version: 1.0\n#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query x-edge-request-id\n';
  const row = (agent: string, status = '200'): string =>
    [
      '2026-11-20',
      '10:18:45',
      'FRA2',
      '17',
      '192.0.2.1',
      'GET',
      'd1.example',
      '/a%20b',
      status,
      '-',
      agent,
      'x=1',
      'Zid=',
    ].join('\t');

  it('reads the columns that the header names, with encoded user agents', () => {
    const agent = 'Mozilla/5.0%2520(compatible;%2520Googlebot/2.1)';
    const { counts, hits } = parseText(`${header}${row(agent)}\n${row('Mozilla/5.0%20GPTBot/1.2', '000')}\n`);
    expect(counts).to.include({ totalLines: 2, blank: 2, matched: 2 });
    const time = Date.UTC(2026, 10, 20, 10, 18, 45);
    const identity = { kind: 'id', id: 'Zid=' };
    expect(hits).to.deep.equal([
      { agent: 'googlebot', path: '/a%20b', time, status: 200, identity, verified: null },
      { agent: 'gptbot', path: '/a%20b', time, status: null, identity, verified: null },
    ]);
  });

  it('reads rows that spaces separate', () => {
    const { counts } = parseText(
      '#Fields: date time cs-uri-stem c-ip cs(User-Agent) sc-status\n2026-11-20 10:18:45 /a 192.0.2.1 GPTBot/1.2+(x) 200\n',
    );
    expect(counts).to.include({ matched: 1 });
  });

  it('reads quoted values that contain spaces', () => {
    const { counts, hits } = parseText(
      '#Fields:  date time cs-uri-stem c-ip cs(User-Agent) sc-status\n2026-11-20 10:18:45.235 /a 192.0.2.1 "x ""y"" GPTBot/1.2 (z)" 200\n',
    );
    expect(counts).to.include({ matched: 1, unparsed: 0 });
    expect(hits[0]?.time).to.equal(Date.UTC(2026, 10, 20, 10, 18, 45, 235));
  });

  it('reports a row without a path and a user agent', () => {
    expect(parseText('#Fields: date time c-ip\n2026-11-20 10:18:45 192.0.2.1\n').counts).to.include({
      unparsed: 1,
    });
  });

  it('reports a row without its header, and reads other lines below a header', () => {
    expect(verdictOf(row('GPTBot/1.2'))).to.equal('unparsed');
    expect(parseText(`${header}${combined()}\n`).counts).to.include({ matched: 1, unparsed: 0 });
    expect(parseText(`${header}too\tfew\n`).counts).to.include({ unparsed: 1 });
  });
});
