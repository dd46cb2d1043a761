import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CollectFolder } from '../../../collect/support/collecting.js';
import { plan, shownTarget, subject } from '../../../collect/support/plans.js';
import { type StandIn, standIn } from '../../../collect/support/stand-in.js';
import { migratedDatabase } from '../../support/migrated-database.js';
import { type Environment, Home, svc } from '../../support/run.js';

const KEY = 'key-of-the-test-0123456789';

describe('svc collect with a provider', () => {
  let provider: StandIn;
  let home: Home;
  let env: Environment;
  const file = (name: string) => join(home.folder, name);
  beforeEach(async () => {
    provider = await standIn('cloro');
    home = new Home();
    env = { ...home.env, XDG_STATE_HOME: home.folder, CLORO_KEY: KEY };
    const target = (engine: string) =>
      `[[target]]\nengine = "${engine}"\nprotocol = "cloro"\nbase_url = "${provider.url}"\nregion = "us"\nkey_env = "CLORO_KEY"\ncall_usd = 0.004\n`;
    writeFileSync(file('collect.toml'), target('aio') + target('copilot'));
    const records = [
      { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
      { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Fleetfoot', domain: 'fleetfoot.example' },
      { type: 'prompt', id: 'p1', brand: 'shoes', text: 'Which shoes last?' },
    ];
    writeFileSync(file('brand.ndjson'), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    provider.queued = 0;
    provider.show = ({ engine }) =>
      engine === 'aio' ? {} : { text: 'Fleetfoot.', cited: [{ url: 'https://a.example/', title: 'A' }] };
  });
  afterEach(async () => {
    home.remove();
    await provider.close();
  });
  const probe = (...more: string[]) =>
    svc(['collect', 'probe', '--plan', file('collect.toml'), ...more], env, '');

  it('probe shows what each target answers, and keeps the exchanges without the key', async () => {
    const { stdout, stderr, code } = await probe('--yes', '--record', file('replies'));
    expect({ stderr, code }).to.deep.equal({ stderr: '', code: 0 });
    expect(stdout)
      .to.match(/aio +us +cloro +serp +not shown/)
      .and.to.match(/copilot +us +cloro +ui +answered .* 1 .*\$0\.00/);
    expect(stdout).to.include('copilot us: the provider does not state searches, ads.');
    expect(readdirSync(file('replies')).sort()).to.deep.equal(['aio.us.cloro.json', 'copilot.us.cloro.json']);
    const kept = readFileSync(file('replies/copilot.us.cloro.json'), 'utf8');
    expect(kept).to.include('"COPILOT"').and.to.include('"COMPLETED"').and.not.to.include(KEY);
  });

  it('probe asks before it sends, needs its keys, and fails if a target gives no answer', async () => {
    const unasked = await probe();
    expect(unasked.code).to.equal(2);
    expect(unasked.stderr).to.include('2 calls for about $0.008');
    env = { ...env, CLORO_KEY: '' };
    expect((await probe('--yes')).stderr).to.include('CLORO_KEY is not set.');
    expect(provider.exchanges).to.deep.equal([]);
    env = { ...env, CLORO_KEY: KEY };
    provider.before = (_, response) => !!response.writeHead(401).end(`{"error":"${KEY}"}`);
    const refused = await probe('--yes', '--json');
    expect(refused.code).to.equal(9);
    expect(JSON.parse(refused.stdout).targets[0]).to.deep.include({ outcome: 'not_charged', cause: 'key' });
    expect(refused.stdout + refused.stderr).not.to.include(KEY);
    expect(existsSync(file('replies'))).to.equal(false);
  });

  it('writes what people see, says before what a provider states, and asks nothing twice', async () => {
    const collect = (...more: string[]) =>
      svc(
        [
          'collect',
          '--plan',
          file('collect.toml'),
          '--brand',
          'shoes',
          '--dataset',
          file('brand.ndjson'),
        ].concat(['--out', file('runs.ndjson'), ...more]),
        env,
        '',
      );
    const dry = await collect('--dry-run');
    expect(dry.stdout).to.include(
      'copilot us: the product as people use it by cloro, with citations, carousels.',
    );
    expect(dry.stdout).to.include('Fetched for 24 hours; a question sent again has the same idempotency key');
    expect(dry.stdout).to.match(/aio +us +cloro +serp +0 +1 +0 +0 +\$0\.00/);
    const first = await collect('--yes', '--max-usd', '1', '--json');
    expect(first.code).to.equal(0);
    expect(
      JSON.parse(first.stdout).report.targets.map(({ not_shown, answered }: Record<string, number>) => [
        not_shown,
        answered,
      ]),
    ).to.deep.equal([
      [1, 0],
      [0, 1],
    ]);
    expect((await collect('--yes')).code).to.equal(0);
    expect([...provider.ledger.values()]).to.deep.equal([2]);
    const runs = readFileSync(file('runs.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(runs.map(({ surface, outcome }) => [surface, outcome])).to.have.deep.members([
      ['serp', 'not_shown'],
      ['ui', undefined],
    ]);
    const checked = await svc(
      ['admin', 'import', '--dry-run', file('brand.ndjson'), file('runs.ndjson'), '--data-dir', file('none')],
      env,
      '',
    );
    expect(checked.stderr).not.to.match(/line \d+/);
  });

  it('fetches the answers of an earlier day, which were paid, before it asks those of today', async () => {
    const database = { SVC_DATA_DIR: file('data') };
    env = { ...env, ...database, ...(await migratedDatabase(file('data'))) };
    await svc(['admin', 'import', file('brand.ndjson')], env);
    const collect = () =>
      svc(['collect', '--plan', file('collect.toml'), '--brand', 'shoes', '--yes'], env, '');
    expect((await collect()).code).to.equal(0);
    const [folder] = readdirSync(file('svc')).filter((name) => name.startsWith('collect-'));
    // What a collection of an earlier day left that ended before its answers came.
    const earlier = new CollectFolder();
    const date = '2026-01-05';
    const out = join(file('svc'), folder!, `shoes-${date}.ndjson`);
    provider.queued = 1e6;
    const target = shownTarget(provider.url, 'cloro', 'copilot', { provider: { waitMinutes: 0.0005 } });
    const own = subject(1);
    const prompts = [{ ...own.prompts[0]!, text: 'Which shoes last?' }];
    await earlier.collect({ plan: plan([target]), subject: { ...own, prompts }, date, out });
    earlier.remove();
    provider.queued = 0;
    const paid = () => [...provider.ledger.values()].reduce((sum, count) => sum + count, 0);
    expect(paid()).to.equal(3);
    const { code, stderr } = await collect();
    expect(code).to.equal(0);
    expect(stderr).to.include(`Fetching answers of ${date}, which were paid.`);
    expect(paid()).to.equal(3);
    const { stdout } = await svc(['admin', 'export'], env);
    expect(stdout).to.include(`"id":"${date}.copilot-ui.p1.us.1"`);
  });

  it('a prompt that a provider does not take is a fault before anything is sent', async () => {
    const { code, stderr } = await probe('--yes', '--prompt', 'x'.repeat(10_001));
    expect(code).to.equal(2);
    expect(stderr).to.include(
      'target[0]: aio by cloro takes 10000 characters, and the prompt --prompt has 10001',
    );
    expect(provider.exchanges).to.deep.equal([]);
  });
});
