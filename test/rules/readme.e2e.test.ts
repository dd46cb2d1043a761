import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { builtEntry, SHORT_LIVED } from '../cli/support/built.js';
import { shellBlocks } from './support/shell-blocks.js';

const root = join(import.meta.dirname, '../..');

/** Lines that no walk through the README types: they take minutes. */
const SKIPPED = ['npm test', 'npm run collect:demo'];

/** A stand-in for a command, where it would not end, ask, or need what only the reader has. */
interface StandIn {
  readonly of: RegExp;
  readonly by: string;
}

const DAY = 86_400_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString();
const records = [
  { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
  { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Shoes', domain: 'shoes.invalid' },
  { type: 'prompt', id: 'p', brand: 'shoes', text: 'Which shoes?' },
  ...Array.from({ length: 14 }, (_, ago) => ({
    type: 'run',
    id: `run-${ago}`,
    brand: 'shoes',
    prompt: 'p',
    engine: 'chatgpt',
    region: 'us',
    collected_at: day(ago + 0.1),
    mentions: [{ name: 'Shoes', order: 1 }],
    citations: [{ url: 'https://shoes.invalid/' }],
  })),
];

/** The first line of `key` in the output of `svc admin keys create`. */
const keyIn = (output: string): string | undefined => /svc_[0-9A-Za-z]{43}/.exec(output)?.[0];

/** All commands of the README, top to bottom, in the home of one person. */
describe('the README', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-readme-'));
  const prefix = join(folder, 'npm');
  const home = join(folder, 'home');
  const serving: ChildProcess[] = [];
  let exported = '';
  let key: string | undefined;
  const standIns: StandIn[] = [
    { of: /--port 9090/, by: '--port 0' },
    { of: / --watch/, by: '' },
    { of: /mcp install claude-code/, by: 'mcp install claude-code --yes' },
  ];

  before(() => {
    for (const path of [prefix, home]) mkdirSync(path);
    writeFileSync(
      join(home, 'dataset.ndjson.gz'),
      gzipSync(records.map((each) => `${JSON.stringify(each)}\n`).join('')),
    );
  });
  after(async () => {
    for (const child of serving) {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const env = (): NodeJS.ProcessEnv => ({
    PATH: [join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    NO_COLOR: '1',
    npm_config_prefix: prefix,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  });

  const shell = (command: string, cwd = home) =>
    spawn('bash', ['-c', `${exported}${command}`], { cwd, env: env(), stdio: ['pipe', 'pipe', 'pipe'] });

  /** Starts a server and returns all that it prints until it is ready. */
  async function served(command: string): Promise<string> {
    const child = shell(`exec ${command}`);
    serving.push(child);
    let printed = '';
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    for await (const line of createInterface({ input: child.stdout })) {
      printed += `${line}\n`;
      if (/^ +log in |^Ctrl-C stops/.test(line)) return printed;
    }
    throw new Error(`${command} ended: ${printed}`);
  }

  async function ran(command: string, input: string, cwd?: string): Promise<string> {
    const child = shell(command, cwd);
    child.stdin.end(input);
    const ended = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    expect(code, `${command}\n${stdout}${stderr}`).to.equal(0);
    return stdout + stderr;
  }

  const addressIn = (printed: string): string => /listening on (\S+)/.exec(printed)![1]!;

  /** Types one command, as a reader does who has the output of those above. */
  async function type(written: string): Promise<string> {
    const command = standIns.reduce((line, { of, by }) => line.replace(of, by), written);
    if (command.startsWith('export ')) {
      exported += `${command}\n`;
      return '';
    }
    if (command.startsWith('npm start')) {
      const printed = await served(
        `"${process.execPath}" ${SHORT_LIVED.join(' ')} "${builtEntry()}" demo --port 0`,
      );
      const [, log] = /svc ingest (\S+)/.exec(printed)!;
      standIns.push({ of: /\/var\/log\S+ --follow/, by: join(home, log!) });
      return printed;
    }
    if (command.startsWith('npm link')) return ran(command, '', dirname(dirname(builtEntry())));
    if (command.startsWith('svc serve')) {
      const printed = await served(command);
      standIns.push({ of: /http:\/\/127\.0\.0\.1:9090/, by: addressIn(printed) });
      return printed;
    }
    const printed = await ran(command, command.startsWith('svc login') ? key! : '');
    if (command.startsWith('svc admin keys create')) key = keyIn(printed);
    return printed;
  }

  it('works as it is written, from its first command to its last', async () => {
    const commands = shellBlocks(readFileSync(join(root, 'README.md'), 'utf8'))
      .flatMap((block) => block.commands.map((command) => command.text))
      .filter((command) => !SKIPPED.some((skipped) => command.startsWith(skipped)));
    const printed = new Map<string, string>();
    for (const command of commands) printed.set(command.split(/ *#/)[0]!, await type(command));
    const of = (start: string) => [...printed].find(([command]) => command.startsWith(start))![1];
    expect(of('svc overview')).to.contain('Torvello');
    const own = addressIn(of('svc serve'));
    expect(of('svc doctor')).to.contain(own).and.contain('Shoes (shoes)').and.not.contain('Torvello');
    expect(await type('svc brands'))
      .to.contain('Shoes')
      .and.not.contain('Torvello');
    expect(await type('svc overview --profile demo')).to.contain('Torvello');
  });
});
