/**
 * A tool call of a cached read, compared with the REST read: processor time of the server per request, for
 * a small answer and two large ones, without and with structured content and in the newest revision, in turn in one run.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ./scripts/support/typescript.mjs bench/mcp-calls.ts
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import {
  MCP_PATH,
  PROTOCOL_VERSION_HEADER,
  STATELESS_VERSION,
  STRUCTURED_SINCE,
} from '../src/contract/mcp.js';
import { CAPABILITIES_META, METHOD_HEADER, NAME_HEADER, VERSION_META } from '../src/contract/mcp-headers.js';
import type { Read } from '../src/contract/read.js';
import { type ResourceName, resources } from '../src/contract/registry.js';
import { costOf, type Result } from './support/bench.js';
import { createDatabaseUrl } from './support/database-url.js';
import { least } from './support/least.js';
import { printResults } from './support/print-results.js';

const ROUNDS = 5;
const SECONDS = 1;
/** The limit for a call, as a multiple of a read. */
const TARGET = 1.6;
const reads = ['overview', 'prompts', 'answers'] as const satisfies readonly ResourceName[];

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The read, limited to the rows of its tool. */
function readOf({ url, headers }: Target, read: ResourceName) {
  const { toolCap }: Read = resources[read];
  const address = new URL(`/api/v1/${read}`, url);
  if (toolCap !== undefined) address.searchParams.set('limit', String(toolCap));
  return { url: address.href, headers };
}

/** A call of the read's tool by a client that negotiated this version, or states it. */
const callOf = ({ url, headers }: Target, read: ResourceName, version: string) => ({
  url: new URL(MCP_PATH, url).href,
  method: 'POST' as const,
  headers: {
    ...headers,
    'content-type': 'application/json',
    [PROTOCOL_VERSION_HEADER]: version,
    ...(version === STATELESS_VERSION && {
      [METHOD_HEADER]: 'tools/call',
      [NAME_HEADER]: resources[read].tool,
    }),
  },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: resources[read].tool,
      arguments: {},
      ...(version === STATELESS_VERSION && { _meta: { [VERSION_META]: version, [CAPABILITIES_META]: {} } }),
    },
  }),
});

/** The requests that are compared, the reference first. */
const waysTo = (target: Target, read: ResourceName) => [
  { way: 'REST', request: readOf(target, read) },
  { way: 'text', request: callOf(target, read, '2025-03-26') },
  { way: 'text and structured', request: callOf(target, read, STRUCTURED_SINCE) },
  { way: STATELESS_VERSION, request: callOf(target, read, STATELESS_VERSION) },
];

/** Microseconds of user and system time that the server has used so far. */
async function used(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [{ user, system }] = (await once(server, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

/** Microseconds of processor time a request. */
async function costOfRequest(server: ChildProcess, request: autocannon.Options): Promise<number> {
  const before = await used(server);
  const { requests, non2xx } = await autocannon({ ...request, connections: 16, duration: SECONDS });
  if (non2xx > 0) throw new Error(`${request.url}: ${non2xx} refused`);
  return ((await used(server)) - before) / requests.total;
}

export async function mcpCalls(): Promise<Result[]> {
  const serverScript = fileURLToPath(new URL('./support/read-server.mjs', import.meta.url));
  const server = fork(serverScript, ['memory', await createDatabaseUrl()]);
  const [{ url, key }] = (await once(server, 'message')) as [{ url: string; key: string }];
  const target = { url, headers: { authorization: `Bearer ${key}` } };
  const contenders = reads.map((read) => ({
    read,
    ways: waysTo(target, read).map((way) => ({ ...way, micros: [] as number[] })),
  }));
  // The first round warms up.
  for (let round = -1; round < ROUNDS; round++) {
    for (const { request, micros } of contenders.flatMap(({ ways }) => ways)) {
      const cost = await costOfRequest(server, request);
      if (round >= 0) micros.push(cost);
    }
  }
  server.kill();
  return contenders.flatMap(({ read, ways }) => {
    const [rest, ...calls] = ways.map(({ way, micros }) => ({ way, cost: least(micros) }));
    return calls.map(({ way, cost }) =>
      costOf(`tools/call of a cached ${read}, ${way}`, cost, 'REST', rest!.cost, {
        unit: 'µs',
        target: TARGET,
      }),
    );
  });
}

if (import.meta.filename === process.argv[1]) printResults(await mcpCalls());
