import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readPlanFile } from '../../../src/collect/plan/read-plan.js';
import { type LoopbackEngine, loopbackEngine } from '../../collect/support/engine.js';
import { type Environment, Home, svc } from '../support/run.js';
import { typing } from '../support/typing.js';

const KEY = 'sk-of-the-test-0123456789';
const BRAND = ['init', '--name', 'Fleetfoot', '--domain', 'https://fleetfoot.example/shop'];

describe('svc init', () => {
  let home: Home;
  let env: Environment;
  let engine: LoopbackEngine;
  const before = process.cwd();
  beforeEach(async () => {
    engine = await loopbackEngine();
    home = new Home();
    env = { ...home.env, TEST_KEY: KEY };
    mkdirSync(join(home.folder, 'new'));
    process.chdir(join(home.folder, 'new'));
  });
  afterEach(async () => {
    process.chdir(before);
    home.remove();
    await engine.close();
  });

  const init = (...flags: string[]) => svc([...BRAND, ...flags], env, '');
  const written = async () => (await readPlanFile('svc.toml', false)).catalog!;
  const planFile = () => {
    writeFileSync(
      'engines.toml',
      `samples = 2\n[[target]]\nengine = "llama"\nprotocol = "openai-chat"\nbase_url = "${engine.base('openai-chat')}"\nmodel = "m"
input_usd_per_mtok = 1\noutput_usd_per_mtok = 1\n[extraction]\nprotocol = "openai-chat"\nbase_url = "${engine.base('openai-chat')}"
model = "finder"\nkey_env = "TEST_KEY"\n`,
    );
    return ['--plan', 'engines.toml'];
  };
  const proposals = {
    competitors: [
      { name: 'Stride', domain: 'stride.example' },
      { name: 'Rapid', domain: 'not a domain' },
      { name: 'FLEETFOOT', domain: null },
    ],
    prompts: [
      { text: 'Which shoes are wide?', topic: 'Fit' },
      { text: 'Is Fleetfoot good?', topic: null },
      { text: 'Which shoes\u001b[31m last?', topic: null },
    ],
  };

  it('writes a file from flags, says what a day costs before and what to type after', async () => {
    writeFileSync('prompts.txt', 'Which shoes last?\nWhich shoes are wide?\n');
    const rivals = ['--competitor', 'Stride=stride.example', '--competitor', 'Rapid'];
    const { stdout, stderr, code } = await init(...rivals, '--prompts', 'prompts.txt', '--engine', 'chatgpt');
    expect(stderr).to.equal('');
    expect(code).to.equal(0);
    expect(stdout)
      .to.match(/chatgpt +gpt-5\.2 +2 +\$0\.0665\n/)
      .and.to.match(/extraction +gpt-5-mini +2 +/);
    expect(stdout).to.include('A day costs about $0.0693, 30 days about');
    expect(stdout.indexOf('A day costs')).to.be.below(stdout.indexOf('svc.toml is written'));
    for (const next of ['export OPENAI_API_KEY=…', 'svc serve --plan svc.toml'])
      expect(stdout).to.include(`  ${next}\n`);
    const { plan, catalog, schedule } = await readPlanFile('svc.toml', true);
    expect(plan.targets[0]).to.deep.include({ engine: 'chatgpt', search: true, region: 'us' });
    expect(schedule).to.deep.equal({ everyDays: 1, at: '04:00', maxUsd: null, maxCalls: null });
    expect(catalog!.brand).to.deep.equal({
      id: 'fleetfoot',
      name: 'Fleetfoot',
      domain: 'fleetfoot.example',
      ...{ aliases: [], was: [], forget: [] },
    });
    expect(catalog!.competitors.map(({ text, domain }) => [text, domain])).to.deep.equal([
      ['Stride', 'stride.example'],
      ['Rapid', null],
    ]);
    expect(catalog!.prompts.map(({ text }) => text)).to.deep.equal([
      'Which shoes last?',
      'Which shoes are wide?',
    ]);
  });

  it('never overwrites a file', async () => {
    writeFileSync('svc.toml', 'mine');
    const { stderr, code } = await init('--prompt', 'Which shoes last?');
    expect(code).to.equal(2);
    expect(stderr).to.include('it is not overwritten');
    expect(readFileSync('svc.toml', 'utf8')).to.equal('mine');
  });

  it('names the flags that are missing where nothing can be asked, and refuses wrong values', async () => {
    const missing = await svc(['init'], env, '');
    expect(missing.code).to.equal(2);
    expect(missing.stderr).to.include(
      'Missing flags: --name NAME and --domain HOST and --prompts FILE or --prompt TEXT',
    );
    const engineFault = await init('--prompt', 'a b c', '--engine', 'chatgtp');
    expect(engineFault.stderr.replace(/\s+/g, ' ')).to.include('got chatgtp. Did you mean chatgpt?');
    const domainFault = await svc(['init', '--name', 'A', '--domain', 'a b', '--prompt', 'x'], env, '');
    expect(domainFault.stderr.replace(/\s+/g, ' ')).to.include(
      '--domain: expected a host or host:port, got a b',
    );
    const rivalFault = await init(
      '--prompt',
      'Which last?',
      '--competitor',
      'FLEETFOOT',
      '--competitor',
      'X=a b',
    );
    expect(rivalFault.stderr.replace(/\s+/g, ' '))
      .to.include('--competitor: expected a host or host:port, got a b')
      .and.include('--competitor: 1 name is that of another or of the brand');
    expect(existsSync('svc.toml')).to.equal(false);
  });

  it('takes a prompt that is stated twice once, and says so', async () => {
    const { stdout, code } = await init('--prompt', 'Which last?', '--prompt', 'which last');
    expect(code).to.equal(0);
    expect(stdout).to.include('1 prompt with the words of another left out.');
  });

  it('takes CSV where it is, and of Search Console the queries that its rules leave', async () => {
    writeFileSync('prompts.csv', 'text,topic,tags\nWhich last?,Durability,"a;b"\n');
    await init('--prompts', 'prompts.csv');
    expect(readFileSync('svc.toml', 'utf8'))
      .to.include('prompts = "prompts.csv"')
      .and.not.to.include('[[prompt]]');
    expect((await written()).prompts).to.deep.equal([
      { text: 'Which last?', topic: 'Durability', tags: ['a', 'b'], was: [] },
    ]);
    mkdirSync('other');
    process.chdir('other');
    writeFileSync(
      'Queries.csv',
      'Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position\nshoes,9,900,1%,1\nfleetfoot wide shoes,9,90,1%,1\nbest wide shoes,1,50,2%,3\nbest narrow shoes,1,70,2%,3\n',
    );
    const { stdout } = await init('--prompts', 'Queries.csv', '--most-prompts', '1', '--json');
    const report = JSON.parse(stdout);
    expect(report).to.deep.include({ file: 'svc.toml', brand: 'fleetfoot', prompts: 1, cost_usd_per_day: 0 });
    expect(report.notes).to.deep.equal([
      '1 of 4 search queries become prompts; left out: 1 with the name of the brand, 1 of fewer than three words, 1 with fewer impressions (--most-prompts takes more).',
    ]);
    expect((await written()).prompts.map(({ text }) => text)).to.deep.equal(['best narrow shoes']);
  });

  it('asks on a terminal, offers the proposals of the model, and takes those with a yes', async () => {
    engine.answer = () => ({ text: JSON.stringify(proposals) });
    const answers = [
      ...[
        '',
        'Fleetfoot',
        'a b',
        'https://fleetfoot.example/',
        'Fleet Foot, FF',
        ...['Zoom=a b', 'Zoom, Stride', 'Zoom, https://www.Zoom.example/', 'zoom', 'FF', ''],
      ],
      ...['missing.txt', '', 'Which shoes are good?', 'which shoes are good', 'Is Zoom good?', ''],
      ...['y', 'y', 'n', 'yes', 'q', 'y'],
    ];
    const { stdout, stderr, code } = await typing(answers, () => svc(['init', ...planFile()], env));
    expect(stderr)
      .to.include('expected text that is not blank')
      .and.to.include('expected a host or host:port');
    expect(stderr).to.include('missing.txt cannot be read (ENOENT)');
    expect(stderr).to.include('expected one competitor a line');
    expect(stderr)
      .to.match(/1 Name +Fleetfoot\n/)
      .and.to.match(/4 Competitors +Zoom \(zoom\.example\); Stride/);
    expect(stderr).to.match(/5 Prompts +3: Which shoes are good\?/);
    expect(stdout.replace(/\s+/g, ' ')).to.include(
      '1 prompt names the brand or a competitor: “Is Zoom good?”.',
    );
    expect(stderr).to.include('Proposed competitor Stride (stride.example). Take it?');
    expect(stderr)
      .to.include('Proposed competitor Rapid. Take it?')
      .and.not.to.include('competitor FLEETFOOT');
    expect(stderr).not.to.include('Is Fleetfoot good?').and.not.to.include('\u001b[31m last');
    expect(code).to.equal(0);
    expect(stdout).to.include('svc.toml is written');
    const catalog = await written();
    expect(catalog.brand.aliases).to.deep.equal(['Fleet Foot', 'FF']);
    expect(catalog.competitors.map(({ text }) => text)).to.deep.equal(['Zoom', 'Stride']);
    expect(catalog.prompts.map(({ text, topic }) => [text, topic])).to.deep.equal([
      ['Which shoes are good?', null],
      ['Is Zoom good?', null],
      ['Which shoes are wide?', 'Fit'],
    ]);
    expect((await readPlanFile('svc.toml', true)).plan.samples).to.equal(2);
    expect(JSON.parse(engine.asked[0]!.prompt)).to.deep.equal({
      ...{ brand: 'Fleetfoot', domain: 'fleetfoot.example' },
      ...{ competitors: ['Zoom'], prompts: ['Which shoes are good?', 'Is Zoom good?'] },
    });
  });

  it('shows what each engine costs before it asks for engines, and writes nothing without a yes', async () => {
    const answers = ['', '', '', 'Which shoes are good?', '', 'perplexityy', 'Perplexity', 'n'];
    const { stderr, stdout, code } = await typing(answers, () => svc(BRAND, env));
    expect(stderr)
      .to.match(/perplexity +sonar +1 +\$0\.0152/)
      .and.to.match(/expected chatgpt, .*, got perplexityy\. Did you mean perplexity\?/);
    expect(stdout).to.match(/A day costs about \$0\.0/);
    expect(code).to.equal(130);
    expect(existsSync('svc.toml')).to.equal(false);
  });

  it('asks again for a line that is to be changed, and writes what was understood last', async () => {
    const first = ['Fleetfoot', 'fleetfoot.example', '', 'Zoom', '', '', 'Which shoes are good?', ''];
    const changes = ['n', '9', '4', 'Zoom zoom.example', 'Rapid', '', '1', 'Fleet Foot', 'y'];
    const { stderr, code } = await typing([...first, ...changes], () => svc(['init', ...planFile()], env));
    expect(code).to.equal(0);
    expect(stderr)
      .to.include('expected y, n or a number from 1 to 6, got 9')
      .and.to.include('Zoom (no site)')
      .and.to.include('Zoom (zoom.example); Rapid (no site)');
    const { brand, competitors } = await written();
    expect(brand).to.deep.include({ id: 'fleet-foot', name: 'Fleet Foot' });
    expect(competitors.map(({ text, domain }) => [text, domain])).to.deep.equal([
      ['Zoom', 'zoom.example'],
      ['Rapid', null],
    ]);
  });

  it('takes a name that became the brand’s out of its spellings and competitors, and asks on', async () => {
    const first = ['Fleetfoot', 'fleetfoot.example', 'FF', 'Zoom zoom.example', 'Rapid', ''];
    const changes = ['n', '1', 'Zoom', '3', 'Rapid', '1', 'Rapid', 'y'];
    const { stderr, code } = await typing([...first, '', 'Which shoes are good?', '', ...changes], () =>
      svc(['init', ...planFile()], env),
    );
    expect(code, stderr).to.equal(0);
    const { brand, competitors } = await written();
    expect(brand).to.deep.include({ name: 'Rapid', aliases: [] });
    expect(competitors).to.deep.equal([]);
  });

  it('takes no typed line with two sites for a competitor', async () => {
    const rivals = ['Zoom, zoom.example, rapid.example', 'Acme, Inc., acme.example', ''];
    const { stderr } = await typing(
      ['Fleetfoot', 'fleetfoot.example', '', ...rivals, '', 'Which shoes are good?', '', 'n', 'y'],
      () => svc(['init', ...planFile()], env),
    );
    expect(stderr).to.include('expected one competitor a line, as Stride, stride.example, got Zoom');
    const { competitors } = await written();
    expect(competitors.map(({ text, domain }) => [text, domain])).to.deep.equal([
      ['Acme, Inc.', 'acme.example'],
    ]);
  });

  it('reads a site as in an address bar, and a name with its site behind it', async () => {
    const rivals = ['Lastenwolf lastenwolf.example', 'Smith, Wesson', 'Booking.com'];
    const flags = rivals.flatMap((rival) => ['--competitor', rival]);
    await svc(
      ['init', '--name', 'A', '--domain', 'HTTPS://www.A.example/x', '--prompt', 'a b c', ...flags],
      env,
      '',
    );
    const { brand, competitors } = await written();
    expect(brand.domain).to.equal('a.example');
    expect(competitors.map(({ text, domain }) => [text, domain])).to.deep.equal([
      ['Lastenwolf', 'lastenwolf.example'],
      ['Smith, Wesson', null],
      ['Booking.com', null],
    ]);
  });

  it('takes a line of a file that is repeated once', async () => {
    writeFileSync('prompts.txt', 'Which shoes last?\nwhich shoes last\nWhich are wide?\n');
    expect((await init('--prompts', 'prompts.txt')).code).to.equal(0);
    expect((await written()).prompts.map(({ text }) => text)).to.deep.equal([
      'Which shoes last?',
      'Which are wide?',
    ]);
  });

  it('prints proposals elsewhere, and puts none into the file; a model that fails says why, without the key', async () => {
    engine.answer = () => ({ text: JSON.stringify(proposals) });
    const { stdout } = await init('--prompt', 'Which last?', ...planFile(), '--propose', '--json');
    expect(JSON.parse(stdout).proposals.competitors.map(({ name }: { name: string }) => name)).to.deep.equal([
      'Stride',
      'Rapid',
    ]);
    expect((await written()).competitors).to.deep.equal([]);
    mkdirSync('other');
    process.chdir('other');
    engine.misbehave = ({ headers }, response) => {
      response.writeHead(401).end(JSON.stringify({ error: { message: `no: ${headers.authorization}` } }));
      return true;
    };
    const failed = await init('--prompt', 'Which last?', ...planFile(), '--propose');
    expect(failed.code).to.equal(9);
    expect(failed.stderr).to.include('the key in TEST_KEY is not accepted').and.not.to.include(KEY);
    engine.misbehave = undefined;
    engine.answer = () => ({ text: 'I like shoes.' });
    expect((await init('--prompt', 'Which last?', ...planFile(), '--propose')).stderr).to.include(
      'another form',
    );
    expect(existsSync('svc.toml')).to.equal(false);
  });
});
