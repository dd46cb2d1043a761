/**
 * The start of the command, compared with a bare node, and with oclif commands that do nothing or send one request: processor
 * time of a process, the least of several runs, in turn. A read is answered by a server of this process, which is not counted.
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
import { API_VERSION, headers } from '../src/contract/versions.js';
import { costOf, type Result } from './support/bench.js';
import { least } from './support/least.js';
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

/** The code that sends one request by the fetch of Node. */
const REQUEST = 'console.log(await (await fetch(process.env.SVC_URL)).text())';

/** The commands, the most that each may take of a bare node, and whether it sends a request. */
const commands = [
  { args: ['--version'], target: 1.2, sends: false },
  { args: ['--help'], target: 2, sends: false },
  { args: ['overview', '--json'], target: 3, sends: true },
];

/** A folder with an oclif program of two commands: one does nothing, one prints the response to a request. */
function bareOclif(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-oclif-'));
  symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'));
  const commands = { strategy: 'explicit', target: './commands.mjs' };
  const pjson = { name: 'bare', version: '1.0.0', type: 'module', oclif: { bin: 'bare', commands } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(pjson));
  const source = `import { Command } from '@oclif/core';
    export default {
      nothing: class extends Command { async run() {} },
      request: class extends Command { async run() { ${REQUEST} } },
    };`;
  writeFileSync(join(folder, 'commands.mjs'), source);
  writeFileSync(
    join(folder, 'run.mjs'),
    "import { execute } from '@oclif/core';\nawait execute({ dir: import.meta.url });\n",
  );
  return folder;
}

export async function start(rounds = 15): Promise<Result[]> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', [headers.version]: API_VERSION }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PATH: process.env.PATH, SVC_URL: url, SVC_API_KEY: 'svc_bench' };
  const bareFolder = bareOclif();
  const program = join(bareFolder, 'run.mjs');
  const opponents = [
    { name: 'node -e 0', args: ['-e', '0'] },
    { name: 'an oclif command that does nothing', args: [program, 'nothing'] },
    { name: 'a node that sends a request', args: ['--input-type=module', '-e', REQUEST] },
    { name: 'an oclif command that sends a request', args: [program, 'request'] },
  ];
  const contenders = [...opponents.map(({ args }) => args), ...commands.map(({ args }) => [svc, ...args])];
  const costs = contenders.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const [at, args] of contenders.entries()) costs[at]!.push(await cost(args, env));
  }
  server.close();
  rmSync(bareFolder, { recursive: true });
  const leasts = costs.map(least);
  return commands.flatMap(({ args, target, sends }, at) => {
    const name = `svc ${args.join(' ')}`;
    const own = leasts[opponents.length + at]!;
    return (sends ? opponents : opponents.slice(0, 2)).map((opponent, place) =>
      costOf(name, own, opponent.name, leasts[place]!, {
        unit: 'ms',
        target: place === 0 ? target : undefined,
        digits: 0,
      }),
    );
  });
}

if (import.meta.filename === process.argv[1]) printResults(await start());
