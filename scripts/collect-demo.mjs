/**
 * Shows a collection from prompts to metrics without a key: an engine on the loopback address, a database in a temporary
 * folder, `svc collect`, a server, `svc overview`. `npm run collect:demo`; with `-- --keep` the folder stays.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEngine } from './collect-demo/engine.mjs';

const isKept = process.argv.includes('--keep');
const folder = mkdtempSync(join(tmpdir(), 'svc-collect-demo-'));
const key = randomBytes(24).toString('base64url');
const env = {
  ...process.env,
  SVC_DATA_DIR: join(folder, 'data'),
  XDG_STATE_HOME: join(folder, 'state'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  DATABASE_URL: '',
  API_ACCESS_KEY: key,
  SVC_API_KEY: key,
  LOG_LEVEL: 'warn',
};
const entry = join(import.meta.dirname, '../bin/run.js');
const start = (args, options) => spawn(process.execPath, [entry, ...args], { env, cwd: folder, ...options });

/** Prints the command and runs it. */
async function svc(...args) {
  console.log(`\n$ svc ${args.join(' ')}`);
  const [code] = await once(start(args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) throw new Error(`svc ${args[0]} ended with ${code}`);
}

/** Serves until `use` is done. */
async function served(use) {
  console.log('\n$ svc serve --port 0');
  const server = start(['serve', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'exit');
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const url = /https?:\/\/\S+/.exec(line)?.[0];
      if (!url) continue;
      console.log(`svc listening on ${url}`);
      await use(url);
      break;
    }
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

const engine = await startEngine();
const target = (name) =>
  [
    '[[target]]',
    `engine = "${name}"`,
    'protocol = "openai-responses"',
    `base_url = "${engine.url}"`,
    'model = "demo"',
    'search = true',
    'region = "us"',
    'input_usd_per_mtok = 1.25',
    'output_usd_per_mtok = 10.0',
    'call_usd = 0.01',
    '',
  ].join('\n');
const plan = [
  'samples = 2',
  target('chatgpt'),
  target('perplexity'),
  '[extraction]',
  'protocol = "openai-chat"',
  `base_url = "${engine.url}"`,
  'model = "names"',
  'input_usd_per_mtok = 0',
  'output_usd_per_mtok = 0',
].join('\n');
const records = [
  { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
  { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Fleetfoot', domain: 'fleetfoot.example' },
  { type: 'competitor', id: 'stride', brand: 'shoes', name: 'Stride', domain: 'stride.example' },
  { type: 'prompt', id: 'durable', brand: 'shoes', text: 'Which running shoes last longest?' },
  { type: 'prompt', id: 'wide', brand: 'shoes', text: 'Best running shoes for wide feet?' },
  { type: 'prompt', id: 'trail', brand: 'shoes', text: 'What do I wear on wet trails?' },
];

try {
  console.log(
    `The answers of this demo are made up. Its files are in ${folder}, which ${isKept ? 'stays' : 'is deleted when the demo ends; -- --keep keeps it'}.`,
  );
  writeFileSync(join(folder, 'collect.toml'), plan);
  writeFileSync(
    join(folder, 'brand.ndjson'),
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  );
  await svc('admin', 'migrate');
  await svc('admin', 'import', 'brand.ndjson');
  await svc('collect', '--plan', 'collect.toml', '--brand', 'shoes', '--max-usd', '1', '--yes');
  await svc('collect', '--plan', 'collect.toml', '--brand', 'shoes', '--yes');
  console.log(`The engine was asked ${engine.asked()} times: the second collection asked for nothing.`);
  await served(async (url) => {
    for (const read of ['overview', 'sources'])
      await svc(read, '--brand', 'shoes', '--url', url, '--format', 'table');
  });
} finally {
  engine.close();
  if (!isKept) rmSync(folder, { recursive: true, force: true });
  else
    console.log(`\nSVC_DATA_DIR=${join(folder, 'data')} API_ACCESS_KEY=${key} svc serve   # serves it again`);
}
