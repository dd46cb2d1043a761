/** Uses the SDK as an installed package does: against a server of its own, with every kind of request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

const KEY = 'svc_exercise';
const sources = Array.from({ length: 5 }, (_, index) => ({ domain: `${index}.example` }));

/** The status and the body of a response. */
function answerTo({ pathname, searchParams }, { headers }, body) {
  if (headers.authorization !== `Bearer ${KEY}`) return [401, { error: 'Invalid API key' }];
  switch (pathname) {
    case '/api/v1/overview':
      return [200, { visibility: 27.9, sentiment_index: null }];
    case '/api/v1/sources': {
      const from = Number(searchParams.get('cursor') ?? 0);
      const to = from + Number(searchParams.get('limit'));
      return [200, { sources: sources.slice(from, to), next_cursor: to < sources.length ? `${to}` : null }];
    }
    case '/api/v1/crawler-events': {
      const log = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      const totalLines = log.toString().trim().split('\n').length;
      return [200, { inserted: totalLines, matched: totalLines, totalLines, unparsed: 0 }];
    }
    default:
      return [200, { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'list_brands' }] } }];
  }
}

async function startServer() {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [status, body] = answerTo(new URL(request.url, 'http://any'), request, Buffer.concat(chunks));
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r-1' });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** @param other The same package, loaded as the other kind of module. */
export async function exercise({ SvcClient, isSvcError, AuthenticationError }, other) {
  const { baseUrl, close } = await startServer();
  try {
    const svc = new SvcClient({ baseUrl, apiKey: KEY });
    const { data, requestId } = await svc.overview({ brand: 'b' }).withResponse();
    assert.deepEqual([data.visibility, data.sentiment_index, requestId], [27.9, null, 'r-1']);
    assert.deepEqual(await svc.sources.list({ limit: 2 }).all({ max: 5 }), sources);
    assert.deepEqual(await svc.tools.list(), [{ name: 'list_brands' }]);
    assert.equal((await svc.ingest('one\ntwo\n')).inserted, 2);
    await assert.rejects(svc.sources.top({ limit: 2 }), /Unknown parameter: limit/);
    await assert.rejects(svc.sources.list().all(), /all\(\) needs a max/);

    const stranger = new other.SvcClient({ baseUrl, apiKey: 'svc_stranger' });
    const error = await stranger.overview().catch((reason) => reason);
    assert.ok(isSvcError(error) && error instanceof other.AuthenticationError);
    assert.ok(other.AuthenticationError !== AuthenticationError);
  } finally {
    close();
  }
  console.log('ok');
}
