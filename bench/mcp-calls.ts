/**
 * A tool call of a cached read, compared with the REST read: processor time of the server per request, for
 * a small answer and two large ones, without and with structured content, in turn in one run.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ts-blank-space/register bench/mcp-calls.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import {
  MCP_PATH,
  PROTOCOL_VERSION_HEADER,
  protocolVersions,
  STRUCTURED_SINCE,
} from '../src/contract/mcp.js';
import type { Read } from '../src/contract/read.js';
import { type ResourceName, resources } from '../src/contract/registry.js';
import { createDatabaseUrl } from './support/database-url.js';
import { median } from './support/median.js';

const ROUNDS = 7;
const SECONDS = 2;
/** The limit for a call, as a multiple of a read. */
const GOAL = 1.6;
const reads = ['overview', 'prompts', 'answers'] as const satisfies readonly ResourceName[];

const serverScript = fileURLToPath(new URL('./support/read-server.mjs', import.meta.url));
const server = fork(serverScript, ['memory', await createDatabaseUrl()]);
const [{ url, key }] = (await once(server, 'message')) as [{ url: string; key: string }];
const headers = { authorization: `Bearer ${key}` };

/** The read, limited to the rows of its tool. */
function readOf(read: ResourceName) {
  const { toolCap }: Read = resources[read];
  const address = new URL(`/api/v1/${read}`, url);
  if (toolCap !== undefined) address.searchParams.set('limit', String(toolCap));
  return { url: address.href, headers };
}

/** A call of the read's tool by a client that negotiated this version. */
const callOf = (read: ResourceName, version: string) => ({
  url: new URL(MCP_PATH, url).href,
  method: 'POST' as const,
  headers: { ...headers, 'content-type': 'application/json', [PROTOCOL_VERSION_HEADER]: version },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: resources[read].tool, arguments: {} },
  }),
});

/** The requests that are compared, the reference first. */
const waysTo = (read: ResourceName) => [
  { way: 'REST', request: readOf(read) },
  { way: 'tools/call, text', request: callOf(read, protocolVersions[1]) },
  { way: 'tools/call, text and structured', request: callOf(read, STRUCTURED_SINCE) },
];

/** Microseconds of user and system time that the server has used so far. */
async function used(): Promise<number> {
  server.send('cpu');
  const [{ user, system }] = (await once(server, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

const contenders = reads.map((read) => ({
  read,
  ways: waysTo(read).map((way) => ({ ...way, micros: [] as number[], bytes: 0 })),
}));

for (let round = -1; round < ROUNDS; round++) {
  for (const contender of contenders.flatMap(({ ways }) => ways)) {
    const before = await used();
    const { requests, throughput, non2xx } = await autocannon({
      ...contender.request,
      connections: 16,
      duration: SECONDS,
    });
    if (non2xx > 0) throw new Error(`${contender.way}: ${non2xx} refused`);
    // The first round warms up.
    if (round < 0) continue;
    contender.micros.push(((await used()) - before) / requests.total);
    contender.bytes = throughput.total / requests.total;
  }
}
server.kill();

console.log(
  `µs of processor time a request, median of ${ROUNDS} rounds in turn; the goal is at most ${GOAL} of REST`,
);
for (const { read, ways } of contenders) {
  const rest = median(ways[0]!.micros);
  for (const { way, micros, bytes } of ways) {
    const cost = median(micros);
    const size = `${(bytes / 1024).toFixed(1)} KiB`.padStart(12);
    console.log(
      `${read.padEnd(10)}${way.padEnd(34)}${size}${cost.toFixed(1).padStart(10)} µs${(cost / rest).toFixed(2).padStart(8)}`,
    );
  }
}
