/**
 * Runs the scenarios of the official MCP conformance suite that concern this server: tools and prompts in every revision that the
 * suite knows, and its authorization server. The suite needs Node 22; npm brings both, and nothing of it is installed here.
 *
 *   node --import ./scripts/support/typescript.mjs scripts/conformance.ts
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createPlain, request } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureServer } from '../test/server/web/mcp/support/fixture-server.js';
import { fixtureTools } from '../test/server/web/mcp/support/fixture-tools.js';
import { keyProxy } from '../test/server/web/mcp/support/key-proxy.js';
import { Person, register } from '../test/server/web/oauth/support/person.js';
import { listening } from '../test/support/listening.js';
import { OPERATOR_KEY, testServer } from '../test/support/server.js';

const PACKAGES = ['node@24', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
const HANDSHAKE = ['2025-06-18', '2025-11-25'];
const NEWER = ['2025-11-25', '2026-07-28'];
const ALL = [...HANDSHAKE, '2026-07-28'];
const scenarios: Readonly<Record<string, readonly string[]>> = {
  'server-initialize': HANDSHAKE,
  ping: HANDSHAKE,
  'tools-list': ALL,
  'tools-call-simple-text': ALL,
  'tools-call-error': ALL,
  'json-schema-2020-12': NEWER,
  'dns-rebinding-protection': NEWER,
  'prompts-list': NEWER,
  'http-header-validation': ['2026-07-28'],
};

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
const [node, suite] = execFileSync(
  'npm',
  [
    'exec',
    '--yes',
    ...PACKAGES.map((name) => `--package=${name}`),
    '-c',
    'command -v node; command -v conformance',
  ],
  { encoding: 'utf8' },
)
  .trim()
  .split('\n') as [string, string];
let failures = 0;

/** Runs the suite once; `see` gets what it has printed so far. */
async function run(title: string, args: readonly string[], see?: (printed: string) => void): Promise<void> {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem'), NO_COLOR: '1' };
  const child = spawn(node, [suite, ...args], { env, cwd: folder });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
      see?.(printed);
    });
  const [code] = (await once(child, 'close')) as [number];
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${title}`);
  if (code === 0) return;
  failures++;
  console.log(
    printed
      .split('\n')
      .filter((line) => /FAILURE|WARNING|Error:/.test(line))
      .join('\n'),
  );
}

async function serverScenarios(): Promise<void> {
  const server = await fixtureServer(fixtureTools);
  const proxy = await keyProxy(server.url, OPERATOR_KEY);
  for (const [scenario, versions] of Object.entries(scenarios))
    for (const version of versions) {
      const args = ['--url', `${proxy.url}/api/mcp`, '--scenario', scenario, '--spec-version', version];
      await run(`${scenario} ${version}`, ['server', ...args]);
    }
  await proxy.close();
  await server.close();
}

/** The server behind https, as the suite reaches it, and a person who signs in with the key of the operator. */
async function authorizationScenarios(): Promise<void> {
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'key.pem', '-out', 'cert.pem'];
  execFileSync('openssl', [...options, ...files], { cwd: folder, stdio: 'ignore' });
  let target = '';
  const read = (name: string) => readFileSync(join(folder, name));
  const secure = createServer({ key: read('key.pem'), cert: read('cert.pem') }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const passed = request(new URL(path!, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  const front = await listening(secure);
  const publicUrl = `https://localhost:${new URL(front.url).port}`;
  const server = await testServer({ publicUrl, oauth: true, oauthRegistration: true });
  target = server.url;
  const reached = { url: server.url, publicUrl };
  const port = await freePort();
  const redirect = `http://127.0.0.1:${port}/callback`;
  const { body } = await register(reached, { redirect_uris: [redirect] });
  const stated = {
    url: `${publicUrl}/oauth`,
    'client-id': String(body.client_id),
    resource: `${publicUrl}/mcp`,
  };
  const args = Object.entries({ ...stated, port }).flatMap(([name, value]) => [`--${name}`, String(value)]);
  let asked = false;
  await run('authorization server', ['authorization', ...args], (printed) => {
    const address = new RegExp(`${publicUrl}/oauth/auth\\?\\S+(?=\\s)`).exec(printed)?.[0];
    if (address === undefined || asked || !printed.includes('Callback server started')) return;
    asked = true;
    void allow(new Person(reached), address);
  });
  await server.close();
  await front.close();
}

async function allow(person: Person, address: string): Promise<void> {
  await person.signIn(OPERATOR_KEY);
  await fetch(await person.allow(address));
}

async function freePort(): Promise<number> {
  const probe = await listening(createPlain());
  await probe.close();
  return Number(new URL(probe.url).port);
}

try {
  await serverScenarios();
  await authorizationScenarios();
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failures === 0 ? 0 : 1);
