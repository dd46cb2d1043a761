import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type LoopbackEngine, loopbackEngine } from '../../collect/support/engine.js';
import { migratedDatabase } from '../support/migrated-database.js';
import { type Environment, Home, svc } from '../support/run.js';

const KEY = 'sk-of-the-test-0123456789';
const RECORDS = [
  { type: 'workspace', id: 'acme', name: 'Acme', plan: 'growth' },
  { type: 'brand', id: 'shoes', workspace: 'acme', name: 'Fleetfoot', domain: 'fleetfoot.example' },
  { type: 'competitor', id: 'stride', brand: 'shoes', name: 'Stride' },
  { type: 'prompt', id: 'p1', brand: 'shoes', text: 'Which shoes last?' },
  { type: 'prompt', id: 'p2', brand: 'shoes', text: 'Which shoes are wide?' },
  { type: 'prompt', id: 'p3', brand: 'shoes', text: 'An old question', active: false },
];

describe('svc collect', () => {
  let engine: LoopbackEngine;
  let home: Home;
  let env: Environment;
  beforeEach(async () => {
    engine = await loopbackEngine();
    home = new Home();
    env = {
      ...home.env,
      XDG_STATE_HOME: home.folder,
      SVC_DATA_DIR: join(home.folder, 'data'),
      TEST_KEY: KEY,
    };
    writeFileSync(file('brand.ndjson'), RECORDS.map((record) => `${JSON.stringify(record)}\n`).join(''));
    writeFileSync(file('collect.toml'), planOf(engine));
  });
  afterEach(async () => {
    home.remove();
    await engine.close();
  });

  const file = (name: string) => join(home.folder, name);
  const planOf = ({ base }: LoopbackEngine, more = '') =>
    `[[target]]\nengine = "perplexity"\nprotocol = "openai-responses"\nbase_url = "${base('openai-responses')}"
model = "sonar"\nsearch = true\nregion = "us"\nkey_env = "TEST_KEY"\ninput_usd_per_mtok = 1\noutput_usd_per_mtok = 10
call_usd = 0.01\n${more}`;
  const collect = (...more: string[]) =>
    svc(['collect', '--plan', file('collect.toml'), '--brand', 'shoes', ...more], env, '');
  const fromFile = (...more: string[]) =>
    collect('--dataset', file('brand.ndjson'), '--out', file('runs.ndjson'), ...more);

  it('prints the plan under --dry-run, and sends nothing without --yes where standard input is not a terminal', async () => {
    const dry = await fromFile('--dry-run');
    expect(dry.stderr).to.equal('');
    expect(dry.stdout).to.match(/perplexity +us +sonar +api +0 +2 +18,000 +2,400 +\$0\.06/);
    expect(dry.code).to.equal(0);
    const unasked = await fromFile();
    expect(unasked.code).to.equal(2);
    expect(unasked.stderr).to.include('2 calls for about $0.06').and.to.include('--yes');
    expect(engine.asked).to.deep.equal([]);
  });

  it('asks, imports and answers, and a second time asks nothing', async () => {
    engine.answer = () => ({
      text: 'Stride, then Fleetfoot.',
      cited: [{ url: 'https://fleetfoot.example/' }],
    });
    env = { ...env, ...(await migratedDatabase(file('data'))) };
    await svc(['admin', 'import', file('brand.ndjson')], env);
    const first = await collect('--yes', '--json', '--max-usd', '5');
    expect(first.stderr).to.equal('');
    const body = JSON.parse(first.stdout);
    expect(body).to.deep.include({ brand: 'shoes', imported: true, dry_run: false });
    expect(body.report.targets[0]).to.deep.include({ answered: 2, names: 4, citations: 2, calls: 2 });
    expect(body.report.targets[0].cost_usd).to.equal(0.0042);
    const { stdout } = await svc(['admin', 'export'], env);
    const runs = stdout.split('\n').filter((line) => line.includes('"type":"run"'));
    expect(runs.map((line) => JSON.parse(line))).to.have.length(2);
    expect(JSON.parse(runs[0]!)).to.deep.include({ surface: 'api', prompt: 'p1', model: 'loopback-1' });
    const second = await collect('--yes', '--json');
    expect(second.code).to.equal(0);
    expect(JSON.parse(second.stdout)).to.deep.include({ report: null, imported: false });
    expect(engine.asked).to.have.length(2);
    // Another machine, with the same database.
    env = { ...env, XDG_STATE_HOME: file('elsewhere') };
    await collect('--yes');
    expect(engine.asked).to.have.length(2);
  });

  it('ends with a report and exit 9 if runs are missing, and shows no key anywhere', async () => {
    engine.misbehave = ({ prompt, headers }, response) => {
      if (!prompt.includes('wide')) return false;
      response.writeHead(500).end(JSON.stringify({ error: headers.authorization }));
      return true;
    };
    const { stdout, stderr, code } = await fromFile('--yes');
    expect(code).to.equal(9);
    expect(stdout).to.match(/\.perplexity\.p2\.us\.1: failed: HTTP 500: “Bearer \[key\]”\n/);
    expect(stderr).to.include('1 run of the plan is missing.');
    expect(stdout + stderr).not.to.include(KEY);
  });

  it('names the variable of a key that is refused, once, with what the vendor says', async () => {
    engine.misbehave = ({ headers }, response) => {
      const message = `Incorrect key: ${headers.authorization}`.replaceAll('k', '\\u006b');
      response.writeHead(401).end(`{"error":{"message":"${message}"}}`);
      return true;
    };
    const { stdout, stderr, code } = await fromFile('--yes', '--samples', '3');
    expect(code).to.equal(3);
    expect(stdout.match(/HTTP 401/g)).to.have.length(1);
    expect(stdout).to.include(
      'perplexity us: no further calls: HTTP 401: the key in TEST_KEY is not accepted: “Incorrect key: Bearer [key]”',
    );
    expect(stdout).to.include('Set the variable to a key');
    expect(stdout + stderr).not.to.include(KEY);
    const { stdout: json } = await fromFile('--yes', '--json');
    const [problem] = JSON.parse(json).report.problems;
    expect(problem).to.deep.include({ engine: 'perplexity', region: 'us', cause: 'key', stops_target: true });
  });

  it('asks again for paid answers only with --retry, and says so once', async () => {
    engine.misbehave = (_, response) => {
      response.writeHead(200).end('{}');
      return true;
    };
    const first = await fromFile('--yes');
    const advice =
      '2 answers cannot be used (2 malformed) and were paid: --resume does not ask again; --retry malformed';
    expect((first.stdout + first.stderr).split(advice)).to.have.length(2);
    engine.misbehave = undefined;
    const resumed = await fromFile('--yes', '--resume');
    expect((resumed.stdout + resumed.stderr).split(advice)).to.have.length(2);
    expect(engine.asked).to.have.length(2);
    expect((await fromFile('--retry', 'lost', '--yes')).stderr).to.include(
      '--retry: expected refused, filtered,',
    );
    const { stderr, code } = await fromFile('--yes', '--retry', 'malformed');
    expect(code).to.equal(0);
    expect(engine.asked).to.have.length(4);
    expect(stderr).to.include(
      `\`svc admin import ${file('brand.ndjson')} ${file('runs.ndjson')}\` imports them.`,
    );
    expect(stderr).to.match(
      /the first verdict \(.*\) can come on \d{4}-\d\d-\d\d: it needs answers on 4 days/,
    );
  });

  it('says before it sends which engine --max-usd has no room for', async () => {
    const { stdout, stderr, code } = await fromFile('--yes', '--max-usd', '0.05');
    expect(stdout).to.match(
      /--max-usd leaves \$0\.0500, so perplexity us is not asked: an answer .* may cost \$0\.\d+/,
    );
    expect(stderr).to.include('--max-usd has no room for another call; 2 runs of the plan are missing.');
    expect(code).to.equal(9);
    expect(engine.asked).to.deep.equal([]);
  });

  it('says before it sends which limit has room for the whole plan', async () => {
    engine.used = () => ({ input: 9000, output: 1200 });
    engine.answer = () => ({ searches: ['shoes'] });
    const near = await fromFile('--dry-run', '--max-usd', '0.26');
    const [, enough] = /close to the estimate: .* --max-usd (0\.\d\d) has room for all/.exec(near.stdout)!;
    expect((await fromFile('--dry-run', '--max-usd', enough!)).stdout).not.to.include('estimate: a call');
    const partial = JSON.parse((await fromFile('--yes', '--json', '--max-usd', '0.26')).stdout);
    expect(partial.plan.notes.join()).to.include('close to the estimate');
    expect(partial.report.targets[0]).to.deep.include({ answered: 1, waiting: 1 });
    expect((await fromFile('--yes', '--max-usd', enough!)).code).to.equal(0);
  });

  it('a dry run reports a key that is not set, and prices that --max-usd needs', async () => {
    writeFileSync(file('collect.toml'), planOf(engine).replace('TEST_KEY', 'ABSENT_KEY'));
    const dry = await fromFile('--dry-run');
    expect(dry.stdout).to.include('ABSENT_KEY is not set.');
    expect(dry.code).to.equal(0);
    const { stdout } = await fromFile('--dry-run', '--json');
    expect(JSON.parse(stdout).plan.notes).to.satisfy((notes: string[]) =>
      notes.some((note) => note.startsWith('ABSENT_KEY is not set.')),
    );
    env = { ...env, ABSENT_KEY: 'ključ-of-another-alphabet' };
    const unusable = await fromFile('--dry-run');
    expect(unusable.stdout).to.include('ABSENT_KEY contains invalid characters.').and.not.include('ključ');
    writeFileSync(file('collect.toml'), planOf(engine).replace(/call_usd.*/, ''));
    expect((await fromFile('--dry-run', '--max-usd', '1')).code).to.equal(2);
  });

  it('names the dataset file that it cannot use', async () => {
    const bad = (content: string | Buffer) => {
      writeFileSync(file('bad.ndjson'), content);
      return collect('--dataset', file('bad.ndjson'), '--out', file('runs.ndjson'), '--dry-run');
    };
    const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const invalid = await bad('{"type":"brand","id":5}\n');
    expect(invalid.stderr).to.include(`${file('bad.ndjson')}: nothing was sent\nline 1: id: expected text`);
    expect(invalid.code).to.equal(1);
    const cut = await bad(gzipSync(lines(...RECORDS)).subarray(0, 60));
    expect(cut.stderr).to.include(`${file('bad.ndjson')}: nothing was sent\nits gzip data ends`);
    const [workspace, brand, , prompt] = RECORDS;
    expect((await bad(lines(workspace!, brand!))).stderr).to.include(
      `no active prompt in ${file('bad.ndjson')}`,
    );
    const changed = await bad(lines(brand!, prompt!, { ...prompt, text: 'Another?' }));
    expect(changed.stderr).to.include('line 3: expected the same prompt as on line 2, or another id');
    // The same line twice is one prompt.
    const doubled = await bad(lines(brand!, prompt!, prompt!));
    expect(doubled.stdout).to.match(/perplexity +us +sonar +api +0 +1 /);
  });

  it('a path that cannot be written is a usage error, before anything is sent', async () => {
    writeFileSync(file('a-file'), '');
    const paths = [
      ['--out', home.folder, `${home.folder} cannot be used (EISDIR)`],
      ['--out', file('a-file/runs.ndjson'), 'cannot be used ('],
      ['--keep-raw', file('a-file'), 'cannot be used ('],
    ] as const;
    for (const [flag, path, message] of paths) {
      const out = flag === '--out' ? path : file('runs.ndjson');
      const more = flag === '--out' ? [] : [flag, path];
      const { stderr, code } = await collect(
        '--dataset',
        file('brand.ndjson'),
        '--out',
        out,
        '--yes',
        ...more,
      );
      expect(stderr).to.include(message).and.not.include('data folder');
      expect(code, stderr).to.equal(2);
    }
    expect(engine.asked).to.deep.equal([]);
  });

  it('refuses what it cannot start with, before anything is sent', async () => {
    const faults: readonly (readonly [string, RegExp, string[]])[] = [
      [
        planOf(engine, 'region = 1\nmodle = "x"\n'),
        /line \d+: invalid TOML[\s\S]*line \d+: target\[0\]\.modle: no such/,
        [],
      ],
      [planOf(engine).replace('TEST_KEY', 'ABSENT_KEY'), /ABSENT_KEY is not set/, ['--yes']],
      [planOf(engine).replace(/call_usd.*/, ''), /--max-usd needs prices: target\[0\]/, ['--max-usd', '1']],
      [
        planOf(engine),
        /^Error: --max-usd: expected US dollars, such as 5 or 0\.5, got -1\.$/m,
        ['--max-usd', '-1'],
      ],
    ];
    for (const [toml, message, more] of faults) {
      writeFileSync(file('collect.toml'), toml);
      const { stderr, code } = await fromFile(...more);
      expect(stderr).to.match(message);
      expect(code, stderr).to.equal(2);
    }
    writeFileSync(file('collect.toml'), planOf(engine));
    const noOut = await collect('--dataset', file('brand.ndjson'));
    expect(noOut.code).to.equal(2);
    const unknown = await svc(
      [
        'collect',
        '--plan',
        file('collect.toml'),
        '--brand',
        'boots',
        '--dataset',
        file('brand.ndjson'),
        '--out',
        file('x'),
      ],
      env,
    );
    expect(unknown.stderr).to.include('No brand "boots"');
    expect(unknown.code).to.equal(5);
    expect(engine.asked).to.deep.equal([]);
  });
});
