/**
 * A cached read through all gates, compared with a bare Koa that sends the same bytes, and with buckets in the database: processor
 * time per request and requests a second, one process each, in turn in one run.
 *
 *   npm run build && node scripts/with-postgres.mjs node --import ts-blank-space/register bench/cached-reads.ts
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createDatabaseUrl } from './support/database-url.js';
import { median } from './support/median.js';

const ROUNDS = 7;
const SECONDS = 3;
const contenders = ['bare', 'memory', 'database'] as const;
const url = await createDatabaseUrl();

const servers = [];
for (const kind of contenders) {
  const child = fork(fileURLToPath(new URL('./support/read-server.mjs', import.meta.url)), [kind, url]);
  const [message] = (await once(child, 'message')) as [{ url: string; key: string }];
  servers.push({ kind, child, ...message, rates: [] as number[], micros: [] as number[] });
}

/** Microseconds of processor time that the process has used so far. */
async function used(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

for (let round = -1; round < ROUNDS; round++) {
  for (const server of servers) {
    const before = await used(server.child);
    const { requests, non2xx } = await autocannon({
      url: server.url,
      connections: 32,
      duration: SECONDS,
      headers: { authorization: `Bearer ${server.key}` },
    });
    if (non2xx > 0) throw new Error(`${server.kind}: ${non2xx} refused`);
    // The first round warms up.
    if (round < 0) continue;
    server.rates.push(requests.average);
    server.micros.push(((await used(server.child)) - before) / requests.total);
  }
}
const bare = servers[0]!;
for (const { kind, rates, micros, child } of servers) {
  const cost = `${median(micros).toFixed(1)} µs of processor time a request`;
  const ratio = `${(median(bare.micros) / median(micros)).toFixed(2)} of bare Koa`;
  console.log(`${kind.padEnd(10)}${cost}   ${ratio}   ${median(rates).toFixed(0)} requests/s`);
  child.kill();
}
