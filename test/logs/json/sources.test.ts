import { expect } from 'chai';
import type { Hit } from '../../../src/logs/hit.js';
import { combined, parseText, type Verdict } from '../support/parse.js';

const ms = Date.UTC(2026, 10, 20, 10, 18, 45);
const iso = '2026-11-20T10:18:45Z';

const parse = (record: unknown) => parseText(JSON.stringify(record));
const hitOf = (record: unknown): Hit | undefined => parse(record).hits[0];

function verdictOf(record: unknown): Verdict {
  const { counts } = parse(record);
  if (counts.matched === 1) return 'matched';
  if (counts.totalLines === 1) return 'request';
  return counts.unparsed === 1 ? 'unparsed' : 'not a request';
}

const cloudflare = {
  ClientIP: '192.0.2.1',
  ClientRequestHost: 'www.example.com',
  ClientRequestURI: '/a?x=1',
  ClientRequestPath: '/wrong',
  ClientRequestUserAgent: 'GPTBot/1.2',
  ClientRequestSource: 'eyeball',
  EdgeStartTimestamp: iso,
  EdgeResponseStatus: 200,
  RayID: 'ray1',
};

const proxy = {
  timestamp: ms,
  method: 'GET',
  host: 'my-app.example',
  path: '/a?x=1',
  userAgent: ['GPTBot/1.2'],
  statusCode: 200,
  clientIp: '192.0.2.1',
  vercelId: 'fra1::x',
};
const vercel = {
  id: 'entry1',
  requestId: 'request1',
  deploymentId: 'dpl_1',
  source: 'lambda',
  timestamp: ms + 5,
  path: '/[@username]',
  host: 'deployment.example',
  statusCode: 500,
  message: 'START',
  proxy,
};

const caddy = {
  level: 'info',
  ts: 1795169925.4841,
  logger: 'http.log.access.log0',
  msg: 'handled request',
  request: {
    remote_ip: '192.0.2.1',
    method: 'GET',
    host: 'h',
    uri: '/a?x=1',
    headers: { 'User-Agent': ['GPTBot/1.2'] },
  },
  status: 200,
  size: 17,
};

const google = {
  httpRequest: {
    requestUrl: 'https://www.example.com/a?x=1',
    userAgent: 'GPTBot/1.2',
    status: 200,
    remoteIp: '192.0.2.1',
  },
  insertId: 'insert1',
  timestamp: '2026-11-20T10:18:45.123456789Z',
};

const pino = {
  level: 30,
  time: ms,
  req: { id: 1, method: 'GET', url: '/a?x=1', headers: { 'user-agent': 'GPTBot/1.2' } },
  res: { statusCode: 200 },
  responseTime: 12,
};
const azure = {
  time: iso,
  category: 'FrontDoorAccessLog',
  properties: { requestUri: 'https://x.example:443/a', userAgent: 'GPTBot/1.2', httpStatusCode: '200' },
};

describe('JSON logs by source', () => {
  const sources: [source: string, record: unknown, hit: Partial<Hit>][] = [
    ['Cloudflare', cloudflare, { time: ms, identity: { kind: 'id', id: 'ray1' } }],
    [
      'Cloudflare without the URI',
      { ...cloudflare, ClientRequestURI: undefined, ClientRequestPath: '/a' },
      { time: ms },
    ],
    ['Vercel', vercel, { time: ms, identity: { kind: 'id', id: 'request1' } }],
    [
      'Vercel without a request id',
      { ...vercel, requestId: undefined },
      { identity: { kind: 'id', id: 'fra1::x' } },
    ],
    [
      'Netlify',
      { url: 'https://www.example.com/a', user_agent: 'GPTBot/1.2', timestamp: iso, status_code: 200 },
      { time: ms },
    ],
    [
      'Fastly',
      { url: '/a', request_user_agent: 'GPTBot/1.2', timestamp: iso, response_status: 200 },
      { time: ms },
    ],
    [
      'CloudFront',
      {
        date: '2026-11-20',
        time: '10:18:45',
        'cs-uri-stem': '/a',
        'cs-uri-query': 'x=1',
        'cs(User-Agent)': 'Mozilla/5.0%20GPTBot/1.2',
        'sc-status': '200',
        'x-edge-request-id': 'edge1',
      },
      { time: ms, identity: { kind: 'id', id: 'edge1' } },
    ],
    [
      'CloudFront real-time',
      {
        timestamp: '1795169925.484',
        'cs-uri-stem': '/a?x=1',
        'cs-user-agent': 'GPTBot/1.2',
        'sc-status': '200',
      },
      { time: ms + 484 },
    ],
    [
      'Akamai',
      {
        reqPath: '/a',
        queryStr: 'x=1',
        UA: 'Mozilla%2F5.0%20GPTBot%2F1.2',
        reqTimeSec: '1795169925.484',
        statusCode: '200',
        reqId: 'req1',
      },
      { time: ms + 484, identity: { kind: 'id', id: 'req1' } },
    ],
    ['Google Cloud', google, { time: ms + 123, identity: { kind: 'id', id: 'insert1' } }],
    ['Caddy', caddy, { time: ms + 484 }],
    [
      'Traefik',
      {
        RequestPath: '/a',
        'request_User-Agent': 'GPTBot/1.2',
        StartUTC: '2026-11-20T10:18:45.5Z',
        time: iso,
        DownstreamStatus: 200,
      },
      { time: ms + 500 },
    ],
    [
      'nginx',
      {
        request_uri: '/a',
        http_user_agent: 'GPTBot/1.2',
        time_local: '20/Nov/2026:10:18:45 +0000',
        status: '200',
        request_id: 'r1',
      },
      { time: ms, identity: { kind: 'id', id: 'r1' } },
    ],
    [
      'nginx with the request line',
      { request: 'GET /a?x=1 HTTP/1.1', agent: 'GPTBot/1.2', msec: '1795169925.484', status: 200 },
      { time: ms + 484 },
    ],
    [
      'WordPress VIP',
      {
        request_url: '/a',
        http_user_agent: 'GPTBot/1.2',
        timestamp: '20/Nov/2026:10:18:45 +0000',
        status: '200',
        request_id: 'r2',
      },
      { time: ms },
    ],
    [
      'Envoy',
      {
        path: '/a',
        user_agent: 'GPTBot/1.2',
        start_time: '2026-11-20T10:18:45.250Z',
        response_code: 200,
        request_id: 'r3',
      },
      { time: ms + 250 },
    ],
    [
      'nested and flat keys',
      { 'url.original': '/a', user_agent: { original: 'GPTBot/1.2' }, '@timestamp': iso, status: 200 },
      { time: ms },
    ],
  ];

  for (const [source, record, hit] of sources) {
    it(`reads ${source}`, () =>
      expect(hitOf(record)).to.deep.include({ agent: 'gptbot', path: '/a', status: 200, ...hit }));
  }

  const verdicts: [what: string, record: unknown, verdict: Verdict][] = [
    ['Cloudflare, source 1', { ...cloudflare, ClientRequestSource: 1 }, 'matched'],
    ['Cloudflare, no source', { ...cloudflare, ClientRequestSource: undefined }, 'matched'],
    [
      'Cloudflare, a request of a Worker',
      { ...cloudflare, ClientRequestSource: 'edgeWorkerFetch' },
      'not a request',
    ],
    ['Cloudflare, a purge', { ClientRequestSource: 'purge', EdgeStartTimestamp: iso }, 'not a request'],
    [
      'Cloudflare, a subrequest',
      { ...cloudflare, ClientRequestSource: undefined, WorkerSubrequest: true },
      'not a request',
    ],
    [
      'Cloudflare, no path field',
      { ClientRequestUserAgent: 'GPTBot/1.2', EdgeStartTimestamp: iso, RayID: 'r' },
      'request',
    ],
    [
      'Cloudflare, no user agent field',
      { ClientRequestURI: '/a', EdgeStartTimestamp: iso, RayID: 'r' },
      'request',
    ],
    ['Vercel, build output', { ...vercel, source: 'build', proxy: undefined }, 'not a request'],
    [
      'Vercel, middleware without a user agent',
      { ...vercel, proxy: { ...proxy, userAgent: undefined } },
      'not a request',
    ],
    ['Vercel, background revalidation', { ...vercel, proxy: { ...proxy, statusCode: -1 } }, 'not a request'],
    ['Vercel, a route but no path', { ...vercel, proxy: { ...proxy, path: undefined } }, 'request'],
    [
      'Vercel, output that looks like a log line',
      {
        ...vercel,
        proxy: undefined,
        message: '192.0.2.1 - - [20/Nov/2026:10:18:45 +0000] "GET /a HTTP/1.1" 200 1 "-" "GPTBot/1.2"',
      },
      'not a request',
    ],
    [
      'Caddy, start-up',
      { level: 'info', ts: 1795169925.4, msg: 'using provided configuration', logger: 'admin' },
      'not a request',
    ],
    [
      'Caddy, its admin interface',
      {
        level: 'info',
        ts: 1795169925.4,
        logger: 'admin.api',
        method: 'POST',
        uri: '/load',
        headers: { 'User-Agent': ['GPTBot/1.2'] },
      },
      'not a request',
    ],
    ['Caddy, the error of a request', { ...caddy, logger: 'http.log.error' }, 'not a request'],
    ['Caddy, no logger', { ...caddy, logger: undefined }, 'matched'],
    ['Caddy, no user agent header', { ...caddy, request: { ...caddy.request, headers: {} } }, 'request'],
    [
      'Caddy, header in lower case',
      { ...caddy, request: { ...caddy.request, headers: { 'user-agent': ['GPTBot/1.2'] } } },
      'matched',
    ],
    [
      'Traefik, withheld user agent',
      { RequestPath: '/a', 'request_User-Agent': 'REDACTED', time: iso },
      'request',
    ],
    [
      'a header name in lower case',
      { RequestPath: '/a', 'request_user-agent': 'GPTBot/1.2', time: iso },
      'matched',
    ],
    [
      'a TLS hello',
      { request_uri: '', request: '\u0016\u0003\u0001', http_user_agent: '', time: iso, status: 400 },
      'request',
    ],
    [
      'an application log about a file',
      { level: 'info', time: iso, path: '/etc/passwd', msg: 'read' },
      'not a request',
    ],
    ['a path and a status', { path: '/a', status: 200, time: iso }, 'request'],
    [
      'an agent that is an object',
      { '@timestamp': iso, agent: { type: 'filebeat' }, message: 'hello' },
      'not a request',
    ],
    ['an empty object', {}, 'not a request'],
    ['Cloudflare, neither path nor user agent', { RayID: 'r', EdgeStartTimestamp: iso }, 'unparsed'],
    ['a load balancer without a URL', { httpRequest: { status: 200 }, timestamp: iso }, 'unparsed'],
    [
      'a gateway that logs routes',
      { httpMethod: 'GET', resourcePath: '/{proxy+}', status: '200', requestTime: iso },
      'unparsed',
    ],
    ['unknown keys', { '@t': iso, http: { verb: 'GET', target: '/a', code: 200 } }, 'unparsed'],
    ['unknown keys of a user agent', { when: iso, verb: 'GET', client_agent: 'GPTBot/1.2' }, 'unparsed'],
    ['a method without request fields', { time: iso, method: 'users.list', status: 200 }, 'not a request'],
    ['a job with a status', { time: iso, job: 'sync', status: 200, resource: '/a' }, 'not a request'],
    [
      'a start-up message in "log"',
      { log: 'listening on :80\n', stream: 'stdout', time: iso },
      'not a request',
    ],
    [
      'a line in "log" of an unknown format',
      { log: '@ GET /a HTTP/1.1 from 192.0.2.1', time: iso },
      'unparsed',
    ],
    [
      'a record in "message" without a time',
      { message: '{"request_uri":"/a","ua":"GPTBot/1.2"}' },
      'unparsed',
    ],
    ['a line in "MESSAGE"', { MESSAGE: combined(), _HOSTNAME: 'web-1' }, 'matched'],
    ['a line in "MESSAGE" with a prefix', { MESSAGE: `web-1 | ${combined()}` }, 'matched'],
    [
      'a line in "message" with fields of a collector',
      { message: combined(), http: { verb: 'GET', status: 200 } },
      'matched',
    ],
    [
      'pino, a message during a request',
      { ...pino, res: undefined, responseTime: undefined },
      'not a request',
    ],
    ['pino, a request that was aborted', { ...pino, res: { statusCode: null } }, 'matched'],
    ['pino, a start-up message', { level: 30, time: ms, pid: 7, msg: 'listening' }, 'not a request'],
    [
      'Fastify, an incoming request',
      { level: 30, time: ms, reqId: 'req-1', req: { method: 'GET', url: '/a' } },
      'request',
    ],
    [
      'Fastify, a completed request',
      { level: 30, time: ms, reqId: 'req-1', res: { statusCode: 200 }, responseTime: 3 },
      'not a request',
    ],
    ['Azure, the firewall', { ...azure, category: 'FrontDoorWebApplicationFirewallLog' }, 'not a request'],
    [
      'Azure, an origin shield',
      { ...azure, properties: { ...azure.properties, isReceivedFromClient: false } },
      'not a request',
    ],
    ['Azure, a metric', { time: iso, resourceId: '/x', properties: { count: 3 } }, 'not a request'],
    ['AWS WAF without headers', { timestamp: ms, httpRequest: { uri: '/a', httpMethod: 'GET' } }, 'request'],
    [
      'an elastic record without a request',
      { '@timestamp': iso, url: { path: '/a' }, message: 'read' },
      'not a request',
    ],
    ['an empty array', [], 'not a request'],
    ['no time', { request_uri: '/a', http_user_agent: 'GPTBot/1.2' }, 'unparsed'],
    ['an invalid time', { request_uri: '/a', http_user_agent: 'GPTBot/1.2', time: 'yesterday' }, 'unparsed'],
    [
      'the next key if one has no time',
      { request_uri: '/a', http_user_agent: 'GPTBot/1.2', ts: 'none', timestamp: iso },
      'matched',
    ],
    ['a time before 2000', { request_uri: '/a', http_user_agent: 'GPTBot/1.2', time: 0 }, 'unparsed'],
    [
      'a time too far ahead',
      { request_uri: '/a', http_user_agent: 'GPTBot/1.2', time: '2026-11-22T00:00:01Z' },
      'unparsed',
    ],
    ['numbers in an array', [1], 'unparsed'],
  ];

  for (const [what, record, verdict] of verdicts)
    it(`${what}: ${verdict}`, () => expect(verdictOf(record)).to.equal(verdict));

  describe('the identity of a row', () => {
    const row = (more: object) => ({ url: '/a', ua: 'GPTBot/1.2', ts: 1795169925, ...more });
    const identities = (...records: object[]): unknown[] =>
      parseText(records.map((record) => JSON.stringify(record)).join('\n')).hits.map((hit) => hit.identity);
    const distinct = (...records: object[]): number =>
      new Set(identities(...records).map((identity) => JSON.stringify(identity))).size;

    it('is not an id that may identify a server, a process or a row number', () => {
      expect(distinct(row({ id: 'web-1' }), row({ id: 'web-1', ts: 1795169926 }))).to.equal(2);
      expect(distinct(row({ id: 'web-1' }), row({ id: 'web-1' }))).to.equal(2);
      expect(distinct(pino, { ...pino, time: ms + 1 })).to.equal(2);
      const fastify = { ...pino, reqId: 'req-1' };
      expect(distinct(fastify, { ...fastify, time: ms + 1 })).to.equal(2);
    });

    it('is the content of the row, independent of such an id', () => {
      expect(identities(row({ id: 'web-1' }))).to.deep.equal(identities(row({})));
    });

    it('is the id that the source assigns to each request', () => {
      const rows: [record: object, id: string][] = [
        [{ ...vercel, requestId: undefined, proxy: { ...proxy, vercelId: undefined } }, 'entry1'],
        [row({ request_id: 'r1', id: 'web-1' }), 'r1'],
        [{ ...azure, properties: { ...azure.properties, trackingReference: 't1' } }, 't1'],
      ];
      for (const [record, id] of rows) expect(identities(record)).to.deep.equal([{ kind: 'id', id }]);
    });
  });

  it('adds the slash that Akamai omits', () => {
    const akamai = { reqTimeSec: '1795169925', UA: 'GPTBot', reqId: 'r' };
    const pathOf = (reqPath: string) => hitOf({ ...akamai, reqPath })?.path;
    expect(['a/b', '/a/b', 'a:b', 'https://x.example/a'].map(pathOf)).to.deep.equal([
      '/a/b',
      '/a/b',
      '/a:b',
      '/a',
    ]);
    expect(hitOf({ ...akamai, reqPath: 'a', queryStr: 'x=1' })?.path).to.equal('/a');
  });

  it('reads a text of the journal that is an array of bytes', () => {
    expect(
      hitOf({ MESSAGE: [...Buffer.from(combined({ request: 'GET /\u00e9 HTTP/1.1' }))] })?.path,
    ).to.equal('/\u00e9');
  });

  const statuses: [written: unknown, status: number | null][] = [
    [200, 200],
    ['404', 404],
    ['000', null],
    [-1, null],
    [0, null],
    [null, null],
    ['-', null],
  ];
  for (const [written, status] of statuses) {
    it(`reads the status ${JSON.stringify(written)} as ${status}`, () => {
      expect(hitOf({ ...cloudflare, EdgeResponseStatus: written })?.status).to.equal(status);
    });
  }

  const times: [written: unknown, time: number][] = [
    [1795169925, ms],
    [1795169925.484, ms + 484],
    [1795169925484, ms + 484],
    [1795169925484000, ms + 484],
    [1795169925484000000, ms + 484],
    ['1795169925484000000', ms + 484],
    ['1795169925', ms],
    ['2026-11-20T10:18:45', ms],
    ['2026-11-20 10:18:45.484+00:00', ms + 484],
    ['2026-11-20T12:18:45+02:00', ms],
    ['2026-11-20t10:18:45z', ms],
    ['20/Nov/2026:12:18:45 +0200', ms],
  ];
  for (const [written, time] of times) {
    it(`reads the time ${JSON.stringify(written)}`, () => {
      expect(hitOf({ ...cloudflare, EdgeStartTimestamp: written })?.time).to.equal(time);
    });
  }
});
