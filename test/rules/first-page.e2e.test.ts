import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { builtEntry, SHORT_LIVED } from '../cli/support/built.js';
import { type LoopbackEngine, loopbackEngine } from '../collect/support/engine.js';
import { type DocumentedCommand, shellBlocks } from './support/shell-blocks.js';

const document = readFileSync(join(import.meta.dirname, '../..', 'docs/first-page.md'), 'utf8');

/** All commands of docs/first-page.md, in an empty folder of a person who has only a key. */
describe('the way from an empty folder to the first page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-first-'));
  const [home, work, bin] = ['home', 'work', 'bin'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  let engine: LoopbackEngine;
  let server: ChildProcess | undefined;
  let exported = '';

  before(async () => {
    engine = await loopbackEngine();
    engine.answer = () => ({ text: 'Fleetfoot lasts, then Stride.' });
    for (const path of [home, work, bin]) mkdirSync(path);
    writeFileSync(
      join(bin, 'svc'),
      `#!/bin/sh\nexec "${process.execPath}" ${SHORT_LIVED.join(' ')} "${builtEntry()}" "$@"\n`,
    );
    chmodSync(join(bin, 'svc'), 0o755);
  });
  after(async () => {
    server?.kill();
    if (server && server.exitCode === null) await once(server, 'exit');
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const shell = (command: string) =>
    spawn('bash', ['-c', `${exported}${command}`], {
      cwd: work,
      env: {
        PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: home,
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  async function ran(command: string): Promise<string> {
    const child = shell(command);
    const ended = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await ended;
    expect(code, `${command}\n${stdout}${stderr}`).to.equal(0);
    return stdout + stderr;
  }

  /** Returns what the server prints until it is ready; it has all answers then. */
  async function served(command: string): Promise<string> {
    server = shell(command.replace('svc serve', 'exec svc serve --port 0'));
    let printed = '';
    let logged = '';
    const collected = new Promise<void>((resolve) => {
      server!.stderr!.on('data', (chunk: Buffer) => {
        logged += chunk.toString();
        if (logged.includes('every run of the plan exists')) resolve();
      });
    });
    for await (const line of createInterface({ input: server.stdout! })) {
      printed += `${line}\n`;
      if (!/^ +collects /.test(line)) continue;
      await collected;
      return printed;
    }
    throw new Error(`${command} ended: ${printed}${logged}`);
  }

  it('is three commands as they are written, and no file is written by hand', async () => {
    // The way in a browser has a test of its own.
    const isOwn = ({ mark }: DocumentedCommand) => !mark?.because.includes('first-page-in-browser');
    const commands = shellBlocks(document).flatMap((block) =>
      block.commands.filter(isOwn).map(({ text }) => text),
    );
    const toPage = commands.slice(0, commands.findIndex((each) => each.startsWith('svc serve')) + 1);
    expect(toPage.filter((each) => !each.startsWith('export '))).to.have.length(3);
    const printed = new Map<string, string>();
    for (const command of commands) {
      // `bin` has what it would install.
      if (command.startsWith('npm install')) continue;
      if (command.startsWith('export ')) exported += `${command.replace('…', 'of-the-test-0123456789')}\n`;
      else printed.set(command, await (command.startsWith('svc serve') ? served(command) : ran(command)));
      // The only stand-in: the engine is on the loopback address.
      const file = join(work, 'svc.toml');
      if (command.startsWith('svc init'))
        writeFileSync(
          file,
          readFileSync(file, 'utf8')
            .replace(/(?<="openai-responses"\nbase_url = ").*(?=")/, engine.base('openai-responses'))
            .replace(/(?<="openai-chat"\nbase_url = ").*(?=")/, engine.base('openai-chat')),
        );
    }
    const of = (start: string) => [...printed].find(([command]) => command.startsWith(start))![1];
    expect(of('svc init'))
      .to.include('A day costs about $')
      .and.to.include('  export OPENAI_API_KEY=…\n  svc serve --plan svc.toml\n');
    expect(of('svc serve')).to.match(/collects +answers for fleetfoot now, then every day at 04:00 UTC/);
    expect(engine.asked.filter(({ isExtraction }) => !isExtraction)).to.have.length(2);
    expect(of('svc overview')).to.include('Fleetfoot');
    for (const start of ['svc serve', 'svc open']) {
      const link = /http\S+\/sign-in\/\S+/.exec(of(start))![0];
      const typed = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' };
      const signedIn = await fetch(link, { redirect: 'manual', headers: typed });
      const cookie = signedIn.headers.getSetCookie()[0]!.split(';')[0]!;
      const page = await fetch(new URL('/brands/fleetfoot', link), { headers: { cookie } });
      expect(await page.text())
        .to.include('Fleetfoot')
        .and.match(/Last collection: <time[^>]*>[^<]+<\/time>, 2 of 2 answers for \$/)
        .and.match(/Next collection: <time/);
    }
    expect(readdirSync(work)).to.deep.equal(['svc.toml']);
    expect((await ran('svc prompts --format csv')).split('\n')[1]).to.include('running shoes');
  });
});
