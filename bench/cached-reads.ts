/**
 * A cached read through all gates against a bare Koa that sends the same bytes, and against a server whose buckets lie in the
 * database: requests a second, one process each, in turn in one run.
 *
 *   node scripts/with-postgres.mjs node --import tsx/esm bench/cached-reads.ts
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { createDatabaseUrl } from './support/database-url.js';
import { median } from './support/median.js';

const ROUNDS = 5;
const SECONDS = 3;
const contenders = ['bare', 'memory', 'database'] as const;
const url = await createDatabaseUrl();

const servers = await Promise.all(
  contenders.map(async (kind) => {
    const child = fork(fileURLToPath(new URL('./support/read-server.ts', import.meta.url)), [kind, url], {
      execArgv: ['--import', 'tsx/esm'],
    });
    const [message] = (await once(child, 'message')) as [{ url: string; keys: string[] }];
    return { kind, child, ...message, rates: [] as number[] };
  }),
);

for (let round = 0; round < ROUNDS; round++) {
  for (const server of servers) {
    const { requests, non2xx } = await autocannon({
      url: server.url,
      connections: 32,
      duration: SECONDS,
      headers: { authorization: `Bearer ${server.keys[round % server.keys.length]}` },
    });
    if (non2xx > 0) throw new Error(`${server.kind}: ${non2xx} refused`);
    server.rates.push(requests.average);
  }
}
const bare = median(servers[0]!.rates);
for (const { kind, rates, child } of servers) {
  console.log(
    `${kind.padEnd(10)}${median(rates).toFixed(0).padStart(8)} requests/s   ${(median(rates) / bare).toFixed(2)} of bare Koa`,
  );
  child.kill();
}
