import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { builtEntry } from '../cli/support/built.js';
import { type LoopbackEngine, loopbackEngine } from '../collect/support/engine.js';
import { shellBlocks } from './support/shell-blocks.js';

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
    writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "${builtEntry()}" "$@"\n`);
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

  /** Returns what the server prints until it is ready. */
  async function served(command: string): Promise<string> {
    server = shell(command.replace(/svc serve$/, 'exec svc serve --port 0'));
    let printed = '';
    server.stderr!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    for await (const line of createInterface({ input: server.stdout! })) {
      printed += `${line}\n`;
      if (/^ +log in /.test(line)) return printed;
    }
    throw new Error(`${command} ended: ${printed}`);
  }

  it('works as it is written, and no file is written by hand', async () => {
    const commands = shellBlocks(document).flatMap((block) => block.commands.map((command) => command.text));
    const printed = new Map<string, string>();
    let address = '';
    for (const command of commands) {
      const typed = command.replace('http://127.0.0.1:8080', address);
      if (typed.startsWith('export ')) exported += `${typed.replace('…', 'of-the-test-0123456789')}\n`;
      else printed.set(command, await (typed.endsWith('svc serve') ? served(typed) : ran(typed)));
      if (typed.endsWith('svc serve')) address = /listening on (\S+)/.exec(printed.get(command)!)![1]!;
      // The only stand-in: the engine is on the loopback address.
      const file = join(work, 'svc.toml');
      if (typed.startsWith('svc init'))
        writeFileSync(
          file,
          readFileSync(file, 'utf8')
            .replace(/(?<="openai-responses"\nbase_url = ").*(?=")/, engine.base('openai-responses'))
            .replace(/(?<="openai-chat"\nbase_url = ").*(?=")/, engine.base('openai-chat')),
        );
    }
    const of = (start: string) => [...printed].find(([command]) => command.startsWith(start))![1];
    expect(of('svc init')).to.include('A day costs about $').and.to.include('  svc admin apply\n');
    expect(of('svc admin apply')).to.match(/\d changes for fleetfoot: \d to add/);
    expect(of('svc collect'))
      .to.include('the first verdict')
      .and.to.include('svc overview --brand fleetfoot');
    expect(engine.asked.filter(({ isExtraction }) => !isExtraction)).to.have.length(2);
    expect(of('svc overview')).to.include('Fleetfoot');
    const page = await fetch(/http\S+/.exec(of('svc open'))![0], { redirect: 'manual' });
    expect(page.status).to.be.oneOf([200, 302, 303]);
    expect(readdirSync(work).sort()).to.include('svc.toml').and.to.include('operator.key');
    expect((await ran('svc prompts --format csv')).split('\n')[1]).to.include('running shoes');
  });
});
