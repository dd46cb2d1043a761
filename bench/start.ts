/**
 * The start of the command, compared with a bare node and with an oclif command that does nothing: processor time of a
 * process, the median of several runs, in turn. A read is answered by a server of this process, which is not counted.
 *
 *   npm run build && node --import ./scripts/support/typescript.mjs bench/start.ts
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { costOf, type Result } from './support/bench.js';
import { median } from './support/median.js';
import { printResults } from './support/print-results.js';

const svc = fileURLToPath(new URL('../bin/run.js', import.meta.url));

/** Milliseconds of user and system time of a Node process with these arguments, as bash counts them. */
async function cost(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const timed = `TIMEFORMAT='%U %S'; time "$@" > /dev/null 2>&1`;
  const child = execFile('bash', ['--norc', '-c', timed, 'bash', process.execPath, ...args], { env });
  const times = await text(child.stderr!);
  const [user, system] = times.trim().split(' ').map(Number);
  return 1000 * (user! + system!);
}

const body = JSON.stringify({
  brand: { id: 'b', name: 'Brand', domain: 'brand.example' },
  visibility: 40,
  mention_count: 10,
  citation_share: 10,
  share_of_voice: 10,
  avg_position: 2,
  sentiment_net: 5,
  run_count: 100,
});

/** The commands, and the most that each may take of a bare node. */
const commands = [
  { args: ['--version'], target: 1.2 },
  { args: ['--help'], target: 2 },
  { args: ['overview', '--json'], target: 3 },
];

/** A folder with an oclif program of one command that does nothing. */
function bareOclif(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-oclif-'));
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'));
  const commands = { strategy: 'explicit', target: './nothing.mjs' };
  const pjson = { name: 'bare', version: '1.0.0', type: 'module', oclif: { bin: 'bare', commands } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(pjson));
  writeFileSync(
    join(folder, 'nothing.mjs'),
    "import { Command } from '@oclif/core';\nexport default { nothing: class extends Command { async run() {} } };\n",
  );
  writeFileSync(
    join(folder, 'run.mjs'),
    "import { execute } from '@oclif/core';\nawait execute({ dir: import.meta.url });\n",
  );
  return folder;
}

export async function start(rounds = 15): Promise<Result[]> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PATH: process.env.PATH, SVC_URL: url, SVC_API_KEY: 'svc_bench' };
  const bareFolder = bareOclif();
  const contenders = [
    ['-e', '0'],
    [join(bareFolder, 'run.mjs'), 'nothing'],
    ...commands.map(({ args }) => [svc, ...args]),
  ];
  const costs = contenders.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const [at, args] of contenders.entries()) costs[at]!.push(await cost(args, env));
  }
  server.close();
  rmSync(bareFolder, { recursive: true });
  const [bare, oclif, ...own] = costs.map(median);
  return commands.flatMap(({ args, target }, at) => {
    const name = `svc ${args.join(' ')}`;
    return [
      costOf(name, own[at]!, 'node -e 0', bare!, { unit: 'ms', target, digits: 0 }),
      costOf(name, own[at]!, 'an oclif command that does nothing', oclif!, { unit: 'ms', digits: 0 }),
    ];
  });
}

if (import.meta.filename === process.argv[1]) printResults(await start());
