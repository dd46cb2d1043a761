import { expect } from 'chai';
import { CommandError } from '../../../src/cli/command-error.js';
import { argumentsFrom } from '../../../src/cli/commands/tools/call.js';
import { toolNames } from '../../../src/contract/tools.js';
import { call, rpc, textOf } from '../../server/web/mcp/support/rpc.js';
import { randomDataset } from '../../support/reference/generators/dataset.js';
import { TODAY } from '../../support/reference/generators/seeds.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../../support/server.js';
import { type Environment, Home, svc, svcTable } from '../support/run.js';

describe('svc tools', () => {
  let server: TestServer;
  let env: Environment;
  let brands: readonly string[];
  const home = new Home();

  before(async () => {
    server = await testServer();
    await server.load(randomDataset(3, TODAY, { runs: 60 }));
    env = { ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY };
    const body = await server.read<{ brands: { id: string }[] }>('/api/v1/brands');
    brands = body.brands.map(({ id }) => id);
  });
  after(async () => {
    home.remove();
    await server.close();
  });

  describe('list', () => {
    it('prints a line per tool, with summary and arguments', async () => {
      const { stdout, stderr, code } = await svcTable(['tools', 'list'], env);
      const [head, , ...rows] = stdout.trimEnd().split('\n');
      expect(head).to.match(/^tool +what it does +arguments$/);
      expect(rows.map((row) => row.split(' ')[0])).to.deep.equal(toolNames);
      expect(rows.find((row) => row.startsWith('list_brands'))).to.match(
        /Which brands can I ask about\? +\[include days\]$/,
      );
      expect(rows.find((row) => row.startsWith('get_metrics_history'))).to.match(
        / {2}metric \[days from to engine competitors prompt topic tag region surface\]$/,
      );
      expect(stderr).to.contain('Every tool but list_brands also takes brand_id.');
      expect(code).to.equal(0);
    });

    it('fits the terminal without cut names', async () => {
      for (const COLUMNS of ['80', '140']) {
        const lines = (await svcTable(['tools', 'list'], { ...env, COLUMNS })).stdout.trimEnd().split('\n');
        expect(Math.max(...lines.map((line) => line.length))).to.be.at.most(Number(COLUMNS));
        for (const name of toolNames)
          expect(lines.some((line) => line.startsWith(`${name} `))).to.equal(true);
      }
    });

    it('prints the result of tools/list with --json', async () => {
      const { stdout } = await svc(['tools', 'list', '--json'], env);
      expect(JSON.parse(stdout)).to.deep.equal((await rpc(server, 'tools/list')).result);
    });

    it('prints a line or row per tool in the other formats', async () => {
      const { stdout: ndjson } = await svc(['tools', 'list', '--format', 'ndjson'], env);
      expect(
        ndjson
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).name),
      ).to.deep.equal(toolNames);
      const { stdout: csv } = await svc(['tools', 'list', '--format', 'csv'], env);
      expect(csv).to.match(/^name,title,description,inputSchema,annotations\nget_briefing,/);
      expect(csv).to.contain('""type"":""object""');
      const { stdout: md } = await svc(['tools', 'list', '--format', 'md'], env);
      expect(md).to.match(/^\| tool \| what it does \| arguments \|/);
    });
  });

  describe('call', () => {
    const run = (...args: string[]) => svc(['tools', 'call', ...args], env);

    it('prints the payload unchanged', async () => {
      const { stdout, stderr, code } = await run('get_overview');
      expect(stdout).to.equal(`${textOf(await call(server, 'get_overview'))}\n`);
      expect((await run('get_overview', '--json')).stdout).to.equal(stdout);
      expect({ stderr, code }).to.deep.equal({ stderr: '', code: 0 });
    });

    it('sends arguments from before and after the name, and the brand', async () => {
      const wanted = { metric: 'visibility', days: 7, competitors: true, brand_id: brands[1] };
      const given = ['--arg', 'days=7', 'get_metrics_history', '--arg', 'metric=visibility'];
      const { stdout } = await run(...given, '--arg=competitors=true', '--brand', brands[1]!);
      expect(stdout).to.equal(`${textOf(await call(server, 'get_metrics_history', wanted))}\n`);
    });

    it('sends the brand of the environment, except to list_brands', async () => {
      const bound = { ...env, SVC_BRAND: brands[1]! };
      const { stdout } = await svc(['tools', 'call', 'get_fact_check'], bound);
      expect(JSON.parse(stdout).brand.id).to.equal(brands[1]);
      const { stdout: all, code } = await svc(['tools', 'call', 'list_brands'], bound);
      expect(JSON.parse(all).brands).to.have.length(brands.length);
      expect(code).to.equal(0);
    });

    for (const [args, exit, words] of [
      [['get_overview', '--brand', 'nobody'], 5, 'Unknown brand: nobody (--brand)'],
      [['get_sentiment', '--arg', 'days=9'], 2, 'Invalid days: 9.'],
      [['get_sentiment', '--arg', 'day=7'], 2, 'Unknown argument: day.'],
      [['get_metrics_history'], 2, 'Missing metric.'],
      [['get_overveiw'], 2, 'Unknown tool: get_overveiw. Did you mean get_overview?'],
      [['zzz'], 2, 'Unknown tool: zzz.\n'],
      [['get_overview', '--arg', 'days'], 2, 'Invalid --arg: days.'],
      [[], 2, 'Missing argument: TOOL'],
    ] as const) {
      it(`exits with ${exit} for ${['call', ...args].join(' ')}`, async () => {
        const { stdout, stderr, code } = await run(...args);
        expect({ stdout, code }).to.deep.equal({ stdout: '', code: exit });
        expect(stderr).to.contain(words).and.not.contain('Note:');
        const inJson = await run(...args, '--json');
        expect({ stderr: inJson.stderr, code: inJson.code }).to.deep.equal({ stderr: '', code: exit });
        const { error } = JSON.parse(inJson.stdout);
        expect(error.message).to.contain(words.trimEnd());
      });
    }

    it('exits with 3 for an invalid key and with 4 for a key that may not read', async () => {
      expect(
        (await svc(['tools', 'call', 'get_overview'], { ...env, SVC_API_KEY: 'svc_wrong' })).code,
      ).to.equal(3);
      const { id: workspace } = await server.database.knex('workspaces').first('id');
      const SVC_API_KEY = await server.key({ workspace, kind: 'ingest' });
      expect((await svc(['tools', 'list'], { ...env, SVC_API_KEY })).code).to.equal(4);
    });
  });
});

describe('--arg', () => {
  it('gets the type that the contract declares', () => {
    const given = [
      'metric=visibility',
      'days=28',
      'competitors=true',
      'engine=chatgpt,gemini',
      'from=2026-11-01',
    ];
    expect(argumentsFrom('get_metrics_history', given)).to.deep.equal({
      metric: 'visibility',
      days: 28,
      competitors: true,
      engine: 'chatgpt,gemini',
      from: '2026-11-01',
    });
  });

  it('stays text if the contract declares text, whatever it looks like', () => {
    for (const text of ['12', 'true', '2026', '']) {
      expect(argumentsFrom('get_overview', [`brand_id=${text}`])).to.deep.equal({ brand_id: text });
    }
  });

  it('is sent unchanged if it cannot have the declared type, so that the server reports it', () => {
    expect(argumentsFrom('get_sentiment', ['days=week'])).to.deep.equal({ days: 'week' });
    expect(argumentsFrom('run_fact_check', ['force=yes'])).to.deep.equal({ force: 'yes' });
  });

  it('is a number or a boolean by its form if tool or argument is unknown', () => {
    const looks: [string, unknown][] = [
      ['28', 28],
      ['-0.5', -0.5],
      ['true', true],
      ['false', false],
      ['007', '007'],
      ['1e3', '1e3'],
      ['12345678901234567890', '12345678901234567890'],
      ['null', 'null'],
      ['True', 'True'],
      ['a=b', 'a=b'],
      ['', ''],
    ];
    for (const tool of ['a_tool_of_next_year', 'get_overview', 'toString'])
      for (const [text, value] of looks)
        expect(argumentsFrom(tool, [`later=${text}`]), `${tool} ${text}`).to.deep.equal({ later: value });
  });

  it('may have any name', () => {
    const values = argumentsFrom('get_overview', ['__proto__=1', 'constructor=2']);
    expect(JSON.stringify(values)).to.equal('{"__proto__":1,"constructor":2}');
  });

  it('is refused without a name and with a repeated name', () => {
    const refused = (given: string[], message: RegExp) =>
      expect(() => argumentsFrom('get_sentiment', given), given.join())
        .to.throw(CommandError, message)
        .with.property('kind', 'usage');
    refused(['days'], /^Invalid --arg: days\. Give NAME=VALUE/);
    refused(['=28'], /^Invalid --arg: =28\./);
    refused([''], /^Invalid --arg: \(empty\)\./);
    refused(['days=7', 'days=28'], /^The argument days was given twice\./);
  });
});
