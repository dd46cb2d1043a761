import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { everyType } from '../server/intake/dataset/support/all-types.js';
import { document, documentedOperations, requiredQuery } from '../server/web/openapi/support/document.js';
import { OPERATOR_KEY } from '../support/server.js';
import { ruleServer } from './support/rule-server.js';

const prism = join(
  dirname(fileURLToPath(import.meta.resolve('@stoplight/prism-cli/package.json'))),
  'dist',
  'index.js',
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A proxy of another project that compares responses with a document: each difference becomes an error of its own. */
async function startProxy(file: string, upstream: string): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const args = ['proxy', file, upstream, '--errors', '--validate-request', 'false', '--port', String(port)];
  const child = spawn(process.execPath, [prism, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('listening')) resolve();
    });
    child.once('exit', () => reject(new Error(output)));
  });
  return { url: `http://127.0.0.1:${port}`, process: child };
}

/** The document, without the rule that a key is required (or the proxy would refuse itself) and with a wrong path. */
const given = {
  ...document,
  security: [],
  paths: {
    ...(document.paths as object),
    '/livez': {
      get: {
        responses: {
          200: { description: 'Wrong', content: { 'application/json': { schema: { type: 'array' } } } },
        },
      },
    },
  },
};

describe('rule: a validating proxy finds no difference between responses and the OpenAPI document', () => {
  const server = ruleServer({ data: everyType, clock: 'refill' });
  let folder: string;
  let proxy: { url: string; process: ChildProcess } | undefined;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(given));
    proxy = await startProxy(join(folder, 'openapi.json'), server.url);
  });
  after(() => {
    proxy?.process.kill();
    rmSync(folder, { recursive: true });
  });

  /** The status of the response; 0 if the proxy found a difference. */
  async function statusOf(path: string, init: RequestInit = {}, key: string | null = OPERATOR_KEY) {
    const authorization = key === null ? {} : { Authorization: `Bearer ${key}` };
    const headers = { ...authorization, ...init.headers };
    const response = await fetch(proxy!.url + path, { ...init, headers });
    return (await response.text()).includes('stoplight.io/prism/errors') ? 0 : response.status;
  }

  it('a wrong description is found', async () => {
    expect(await statusOf('/livez')).to.equal(0);
  });

  for (const operation of documentedOperations) {
    const { method, path, parameters } = operation;
    it(`${method} ${path}`, async () => {
      const query = parameters.filter((each) => each.in === 'query');
      const required = requiredQuery(operation);
      const post = { method: 'POST', body: '{"time":"2026-11-20T09:00:00Z"}\n' };
      const init = method === 'get' ? {} : post;
      const ask = (...pairs: string[]) => statusOf(`${path}?${[required, ...pairs].join('&')}`, init);
      expect(await ask()).to.equal(200);
      for (const { name } of query) {
        expect(await ask(`${name}=x`, `${name}=y`), name).to.equal(400);
        expect(await ask(`${name}=%1b%00`), name).to.be.oneOf([200, 400, 404]);
      }
      expect(await statusOf(path, init, null)).to.equal(401);
      if (query.some(({ name }) => name === 'limit')) expect(await ask('limit=1')).to.equal(200);
      if (method === 'get') {
        expect(await statusOf(`${path}?${required}`, { headers: { 'If-None-Match': '*' } })).to.equal(304);
        expect(await statusOf(`${path}?${required}`, { headers: { Accept: 'text/csv' } })).to.equal(200);
      }
    });
  }
});
