import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type LoopbackEngine, loopbackEngine } from '../../collect/support/engine.js';
import { type StandIn, standIn } from '../../collect/support/stand-in.js';
import { createDatabaseUrl, serverUrl } from '../../support/database.js';
import { type Environment, Home, start, svc } from '../support/run.js';

const PROMPTS = Array.from({ length: 12 }, (_, at) => `Question ${at + 1}?`);
/** The calls that the plan sends at the same time. */
const AT_ONCE = 4;

interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  printed(): string;
  end(signal: NodeJS.Signals): Promise<number | null>;
}

describe('svc serve --plan', () => {
  let engine: LoopbackEngine;
  let home: Home;
  let env: Environment;
  const running = new Set<ChildProcess>();
  beforeEach(async () => {
    engine = await loopbackEngine();
    engine.answer = () => ({ text: 'Fleetfoot lasts, then Stride.' });
    home = new Home();
    env = {
      ...home.env,
      XDG_STATE_HOME: join(home.folder, 'state'),
      SVC_DATA_DIR: join(home.folder, 'data'),
      TEST_KEY: 'key-of-the-test-0123456789',
    };
    write(targetOf(engine.base('openai-responses')));
  });
  afterEach(async () => {
    for (const child of running) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
    running.clear();
    home.remove();
    await engine.close();
  });

  const file = () => join(home.folder, 'svc.toml');
  const targetOf = (base: string) =>
    `engine = "perplexity"\nprotocol = "openai-responses"\nbase_url = "${base}"\nmodel = "sonar"\nsearch = true
region = "us"\nkey_env = "TEST_KEY"\nconcurrency = ${AT_ONCE}\ntimeout_seconds = 280\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 10
call_usd = 0.01`;
  const write = (target: string, prompts = PROMPTS) =>
    writeFileSync(
      file(),
      `[brand]\nid = "shoes"\nname = "Fleetfoot"\ndomain = "fleetfoot.example"\n
${prompts.map((text) => `[[prompt]]\ntext = "${text}"\n`).join('')}
[[target]]\n${target}\n\n[schedule]\nevery = "1d"\nat = "04:00"\n`,
    );

  async function served(more: Environment = {}, ...args: string[]): Promise<Served> {
    const child = start(['serve', '--plan', file(), '--port', '0', ...args], { ...env, ...more });
    running.add(child);
    child.once('close', () => running.delete(child));
    let printed = '';
    child.stderr!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    for await (const line of createInterface({ input: child.stdout! })) {
      const [, url] = /^svc listening on (\S+)/.exec(line) ?? [];
      if (!url) continue;
      const end = async (signal: NodeJS.Signals) => {
        const closed = once(child, 'close');
        child.kill(signal);
        const [code] = await closed;
        return code as number | null;
      };
      return { child, url, printed: () => printed, end };
    }
    throw new Error(`it ended: ${printed}`);
  }

  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(5);
  }
  const ended = (server: Served) => until(() => server.printed().includes('collection ended'));
  const prompts = () => engine.asked.map(({ prompt }) => prompt);

  it('needs no other command: says when it collects, and lets its user in', async () => {
    write(targetOf(engine.base('openai-responses')), PROMPTS.slice(0, 2));
    const server = await served();
    await ended(server);
    const printed = server.printed();
    expect(printed).to.match(/^ {2}collects {3}answers for shoes now, then every day at 04:00 UTC, by /m);
    expect(printed).to.match(/^ {2}page {7}http:\/\/127\.0\.0\.1:\d+\/sign-in\/\S+\n.*signs in once/m);
    expect(printed).to.not.include('API answers 503').and.not.include('svc login');
    expect(prompts().sort()).to.deep.equal(PROMPTS.slice(0, 2).sort());
    // A server knows its brands anew once a second.
    let overview: object = {};
    await until(async () => {
      overview = JSON.parse((await svc(['overview', '--json'], env)).stdout);
      return 'run_count' in overview;
    });
    expect(overview).to.deep.include({ run_count: 2, presence_rate: 1 });
    const signedIn = await fetch(/http\S+sign-in\S+/.exec(printed)![0], { redirect: 'manual' });
    expect(signedIn.status).to.equal(200);
    expect(await server.end('SIGTERM')).to.equal(0);
    // The same key works after a restart; nothing is asked again.
    const again = await served();
    expect(again.printed()).to.include('answers for shoes next on ').and.not.include(' now, ');
    expect((await svc(['profiles'], env)).stdout.trim().split('\n')).to.have.length(
      new URL(again.url).port === new URL(server.url).port ? 1 : 2,
    );
    await again.end('SIGTERM');
    expect(engine.asked).to.have.length(2);
  });

  it('without a key says at once, everywhere, which variable is missing and what to do, and shows no stack', async () => {
    const server = await served({ TEST_KEY: '' });
    await until(() => server.printed().includes('collection failed'));
    const fault = 'TEST_KEY is not set. Correct the environment and start the server again.';
    const printed = server.printed();
    expect(printed).to.include(`collects   no answers for shoes: ${fault}`).and.not.include(' now, ');
    expect(printed).to.not.match(/"stack"|\n\s+at /);
    expect(printed.match(/TEST_KEY is not set/g)).to.have.length(2);
    const signedIn = await fetch(/http\S+sign-in\S+/.exec(printed)![0], { redirect: 'manual' });
    expect(signedIn.status).to.equal(200);
    const overview = await svc(['overview'], env);
    expect(overview.stderr.replaceAll(/\s+/g, ' ')).to.include(
      'yet: TEST_KEY is not set. Correct the environment and start',
    );
    const doctor = (await svc(['doctor', '--server', '--json'], { ...env, PORT: '1' })).stdout;
    const found = (JSON.parse(doctor) as { checks: { check: string; finding: string; remedy: string }[] })
      .checks;
    expect(found.find(({ check }) => check === 'collection')).to.deep.include({
      ...{ status: 'warning', remedy: 'Correct the environment and start the server again.' },
    });
    await server.end('SIGTERM');
    expect(engine.asked).to.deep.equal([]);
  });

  it('collects several plans, each for its brand, and refuses two of one brand', async () => {
    write(targetOf(engine.base('openai-responses')), PROMPTS.slice(0, 2));
    const boots = join(home.folder, 'boots.toml');
    const text = readFileSync(file(), 'utf8');
    writeFileSync(boots, text.replace('id = "shoes"', 'id = "boots"'));
    const server = await served({}, '--plan', boots);
    await until(() => server.printed().match(/every run of the plan exists/g)?.length === 2);
    const printed = server.printed();
    expect(printed.match(/^ {2}collects {3}answers for (?:shoes|boots) now/gm)).to.have.length(2);
    expect(printed.match(/^ {2}page /gm)).to.have.length(2);
    expect(engine.asked).to.have.length(4);
    const profiles = (await svc(['profiles', '--json'], env)).stdout;
    const names = [...profiles.matchAll(/"name": ?"([^"]+)"/g)].map(([, name]) => name!);
    expect(names).to.have.length(2);
    for (const name of names) {
      let read = await svc(['overview', '--json', '--profile', name], env);
      await until(async () => {
        read = await svc(['overview', '--json', '--profile', name], env);
        return read.code === 0;
      });
      expect(JSON.parse(read.stdout)).to.deep.include({ run_count: 2 });
    }
    await server.end('SIGTERM');
    writeFileSync(boots, text);
    const both = await svc(['serve', '--plan', file(), '--plan', boots], env);
    expect(both.code).to.equal(2);
    expect(both.stderr.replaceAll(/\s+/g, ' ')).to.include('boots.toml has the brand shoes, as ');
    const twice = await svc(['serve', '--plan', file(), '--plan', file()], env);
    expect(twice.stderr).to.include('is named twice');
  });

  it('imports into a copy of an embedded database, in another process, so that reads go on meanwhile', async () => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    engine.misbehave = async () => {
      await held;
      return false;
    };
    const server = await served();
    const data = join(env.SVC_DATA_DIR!, 'data');
    const seen = new Set<string | null>();
    const watcher = watch(data, (_, name) => seen.add(name));
    answer();
    await ended(server);
    watcher.close();
    expect([...seen])
      .to.include('postgres.copy.1')
      .and.include('postgres.next');
    expect(server.printed()).to.include('every run of the plan exists');
    expect(readdirSync(data).filter((name) => name.startsWith('postgres.'))).to.deep.equal([]);
    expect(await server.end('SIGTERM')).to.equal(0);
  });

  it('keeps the page closed where others may reach it: an operator key is needed as before', async () => {
    const open = await served({ PUBLIC_URL: 'https://svc.example.com' });
    expect(open.printed()).to.include('API_ACCESS_KEY is not set').and.not.include('/sign-in/');
    expect((await fetch(`${open.url}/api/v1/brands`)).status).to.equal(503);
    await open.end('SIGTERM');
    const keyed = await served({ API_ACCESS_KEY: 'an-operator-key-that-is-long-enough' });
    expect(keyed.printed()).to.include('svc login --url').and.not.include('/sign-in/');
    await keyed.end('SIGTERM');
  });

  it('after kill -9 in the middle pays at most the calls in flight again, and asks each question', async () => {
    engine.misbehave = async () => {
      await sleep(20);
      return false;
    };
    const server = await served();
    await until(() => engine.asked.length >= 5);
    await server.end('SIGKILL');
    const again = await served();
    await ended(again);
    expect(new Set(prompts()).size).to.equal(PROMPTS.length);
    expect(engine.asked.length).to.be.at.most(PROMPTS.length + AT_ONCE);
    expect(again.printed()).to.include('every run of the plan exists');
    await again.end('SIGTERM');
    const { stdout } = await svc(['admin', 'export', '--data-dir', env.SVC_DATA_DIR!], env);
    expect(stdout.match(/"type":"run"/g)).to.have.length(PROMPTS.length);
  });

  it('after kill -9 pays a provider nothing twice, by the ledger of the provider', async () => {
    const provider: StandIn = await standIn('dataforseo');
    try {
      write(
        `engine = "aimode"\nprotocol = "dataforseo"\nbase_url = "${provider.url}"\nregion = "us"\nkey_env = "TEST_KEY"\ncall_usd = 0.002\nconcurrency = ${AT_ONCE}`,
      );
      env = { ...env, TEST_KEY: 'login:password-of-the-test' };
      provider.queued = 0;
      // The first are paid, and no answer comes. The next server finds them in the list of the provider: one that is not listed
      // would be trusted to be unpaid after a minute.
      provider.after = ({ isPaid }, response) => {
        if (isPaid) response.writeHead(200).flushHeaders();
        return isPaid;
      };
      const server = await served();
      await until(() => provider.ledger.size === AT_ONCE);
      await server.end('SIGKILL');
      provider.after = undefined;
      const again = await served();
      await ended(again);
      expect(again.printed()).to.include('every run of the plan exists');
      await again.end('SIGTERM');
      expect([...provider.ledger.keys()].sort()).to.deep.equal([...PROMPTS].sort());
      expect(new Set(provider.ledger.values())).to.deep.equal(new Set([1]));
    } finally {
      await provider.close();
    }
  });

  it('at SIGTERM ends the calls in flight, stores them, and goes on at the next start', async () => {
    engine.misbehave = async () => {
      await sleep(100);
      return false;
    };
    const server = await served();
    await until(() => engine.asked.length >= 2);
    expect(await server.end('SIGTERM')).to.equal(0);
    const asked = engine.asked.length;
    expect(asked).to.be.below(PROMPTS.length);
    const again = await served();
    await ended(again);
    await again.end('SIGTERM');
    expect(prompts().sort()).to.deep.equal([...PROMPTS].sort());
  });

  it('names the file that cannot be read, and what writes one', async () => {
    const missing = await svc(['serve', '--plan', join(home.folder, 'none.toml')], env);
    expect(missing.code).to.equal(2);
    expect(missing.stderr)
      .to.match(/The plan .*none\.toml cannot be read \(ENOENT\)/)
      .and.to.include('svc init');
  });

  it('serves with a plan that has faults, and says which', async () => {
    writeFileSync(file(), 'samples = "many"');
    const server = await served({ API_ACCESS_KEY: 'an-operator-key-that-is-long-enough' });
    expect(server.printed()).to.match(/samples: expected/);
    await until(() => server.printed().includes('collects   nothing until'));
    expect((await fetch(`${server.url}/livez`)).status).to.equal(200);
    await server.end('SIGTERM');
  });

  it('of two servers and svc collect on one database one asks, and the others say who does', async function () {
    if (!serverUrl) this.skip();
    const shared = { DATABASE_URL: await createDatabaseUrl(serverUrl) };
    const of = (name: string) => {
      mkdirSync(join(home.folder, name), { recursive: true });
      return { ...shared, XDG_STATE_HOME: join(home.folder, name) };
    };
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    engine.misbehave = async () => {
      await held;
      return false;
    };
    const one = await served(of('one'), '--workers', '2');
    const other = await served(of('other'));
    await until(() => engine.asked.length >= 1);
    const collected = await svc(['collect', '--plan', file(), '--yes'], { ...env, ...of('third') });
    expect(collected.code).to.equal(1);
    expect(collected.stderr.replaceAll(/\s+/g, ' ')).to.match(
      /are collected by \S+, which has not ended, since .* its journal knows what was paid/,
    );
    answer();
    await until(() => one.printed().includes('every run') || other.printed().includes('every run'));
    expect(prompts().sort()).to.deep.equal([...PROMPTS].sort());
    const later = await svc(['collect', '--plan', file(), '--yes'], { ...env, ...of('third') });
    expect(later.code).to.equal(0);
    expect(engine.asked).to.have.length(PROMPTS.length);
    await one.end('SIGTERM');
    await other.end('SIGTERM');
  });
});
