import { expect } from 'chai';
import { paramFlags } from '../../../src/cli/base/flags.js';
import { errors } from '../../../src/contract/errors.js';
import type { Param } from '../../../src/contract/params.js';
import { resources } from '../../../src/contract/registry.js';
import { commandOf } from '../../rules/support/reads.js';
import * as fixtures from '../support/fixtures.js';
import * as reports from '../support/report-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

describe('the flags', () => {
  const now = session();

  it('exist for each parameter of the contract', () => {
    for (const { params } of Object.values(resources))
      expect(Object.keys(paramFlags(params))).to.deep.equal(Object.keys(params));
  });

  it('are in the help of every read', async () => {
    for (const { path: name, params } of Object.values(resources)) {
      const { stdout } = await svc([commandOf(name), '--help'], now.home.env);
      // An id or an address that is required is the argument of its command.
      for (const [flag, param] of Object.entries<Param>(params))
        expect(stdout, `${name} ${flag}`).to.contain(
          param.required && param.kind === 'text'
            ? `\nARGUMENTS\n  ${flag === 'url' ? 'ADDRESS' : 'ID'} `
            : `--${flag}`,
        );
    }
  });

  it('describe that --brand accepts a name', async () => {
    const { stdout } = await svc(['sources', '--help'], now.home.env);
    expect(stdout.replace(/\s+/g, ' ')).to.contain('Brand id or name; default: the first brand in scope');
  });

  it('are sent to the API unchanged', async () => {
    const args = ['--from', '2026-10-01', '--to', '2026-10-31', '--engine', 'chatgpt,llama', '--competitors'];
    await svc(['history', '--metric', 'citation_share', ...args, '--brand', 'br_tide', '--json'], now.env);
    await svc(['crawlers', '--days', '28', '--json'], now.env);
    const [history, crawlers] = now.server.requests.map((path) => new URL(path, now.server.url).searchParams);
    expect(Object.fromEntries(history!)).to.deep.equal({
      brand: 'br_tide',
      metric: 'citation_share',
      from: '2026-10-01',
      to: '2026-10-31',
      engine: 'chatgpt,llama',
      competitors: 'true',
    });
    expect(Object.fromEntries(crawlers!)).to.have.all.keys('from', 'to');
  });

  it('refuse values that the contract does not list, before any request', async () => {
    for (const args of [
      ['history', '--metric', 'fame'],
      ['crawlers', '--days', '367'],
      ['ads', '--cursor', '3'],
    ]) {
      const { code, stderr } = await svc(args, now.env);
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr).to.contain('Error:');
    }
    expect(now.server.requests).to.deep.equal([]);
  });

  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

  it('--days takes 1 to 366 on every read, and is sent as from and to where the API has presets', async () => {
    for (const command of ['history', 'sentiment', 'ads', 'crawlers'])
      await svc([command, '--days', '30', '--json'], now.env);
    for (const request of now.server.requests)
      expect(request)
        .to.contain(`from=${dayBefore(29)}&to=${dayBefore(0)}`)
        .and.not.contain('days=');
    expect(now.server.requests).to.have.length(4);
    now.server.requests.length = 0;
    for (const command of ['overview', 'competitors', 'shopping'])
      await svc([command, '--days', '30', '--json'], now.env);
    for (const request of now.server.requests) expect(request).to.contain('days=30');
    now.server.requests.length = 0;
    const stderr = async (...args: string[]) => (await svc(args, now.env)).stderr;
    for (const command of ['history', 'overview', 'shopping']) {
      expect(await stderr(command, '--days', '0')).to.contain(
        '--days: Expected an integer greater than or equal to 1',
      );
      expect(await stderr(command, '--days', '367')).to.contain('less than or equal to 366');
    }
    expect(await stderr('overview', '--days', '7', '--from', '7d')).to.contain(
      'Give either --days, or --from and --to.',
    );
    expect(now.server.requests).to.deep.equal([]);
  });

  it('without a window, history, sentiment and ads are asked for days that end today, as the scorecard has them', async () => {
    for (const command of ['history', 'sentiment', 'ads']) await svc([command, '--json'], now.env);
    const [history, sentiment, ads] = now.server.requests;
    expect(history).to.contain(`from=${dayBefore(27)}&to=${dayBefore(0)}`);
    for (const request of [sentiment, ads])
      expect(request).to.contain(`from=${dayBefore(6)}&to=${dayBefore(0)}`);
  });

  it('a day is a date, today, yesterday or a number of days ago', async () => {
    await svc(['overview', '--from', '7d', '--to', 'yesterday', '--json'], now.env);
    await svc(['history', '--from', 'yesterday', '--json'], now.env);
    await svc(['diff', '--from', '7d', '--with', 'from=14d', '--with', 'to=8d', '--json'], now.env);
    expect(now.server.requests[0]).to.contain(`from=${dayBefore(7)}&to=${dayBefore(1)}`);
    expect(now.server.requests[1]).to.contain(`from=${dayBefore(1)}&to=${dayBefore(0)}`);
    expect(now.server.requests.join()).to.contain(`from=${dayBefore(14)}&to=${dayBefore(8)}`);
    now.server.requests.length = 0;
    for (const day of ['last week', '7', '2026-1-1', '']) {
      const { code, stderr } = await svc(['overview', '--from', day], now.env);
      expect(code).to.equal(2);
      expect(stderr).to.contain('it takes YYYY-MM-DD, today, yesterday, or 7d: 7 days ago.');
    }
    expect(now.server.requests).to.deep.equal([]);
  });

  it('end a window without --to today', async () => {
    for (const command of ['history', 'ads']) await svc([command, '--from', '2026-10-01', '--json'], now.env);
    const day = new Date().toISOString().slice(0, 10);
    for (const request of now.server.requests) expect(request).to.contain(`from=2026-10-01&to=${day}`);
    expect(now.server.requests).to.have.length(2);
  });

  it('allow --raw only with csv', async () => {
    for (const args of [[], ['--json'], ['--format', 'md']]) {
      const { code, stderr, stdout } = await svc(['sources', '--raw', ...args], now.env);
      expect(code).to.equal(2);
      expect(stderr + stdout).to.contain('--raw works only with --format csv.');
    }
  });
});

describe('the output of a read in a pipe', () => {
  const now = session();
  const stdout = async (...args: string[]) => (await svc(args, now.env)).stdout;

  it('is rows of the fields of CSV with tabs between, without a head, null empty', async () => {
    const lines = (await stdout('urls')).split('\n').slice(0, -1);
    expect(lines).to.have.length(fixtures.urls.length);
    expect(lines[1]!.split('\t')).to.have.length(lines[0]!.split('\t').length);
    expect(lines[1]).to.contain('\tDecaf[31m without regrets? A thread\tugc\ttrue\t0\t12\t0\t[]\tfalse\t');
    expect(await stdout('urls', '--format', 'tsv')).to.equal(`${lines.join('\n')}\n`);
  });

  it('is the main rows of a report', async () => {
    expect(await stdout('sentiment', '--fields', 'entity,sentiment')).to.match(
      /^[^\t\n]+\t(negative|neutral|positive)\n/,
    );
  });

  it('has a line per field of the overview, or the values that --fields names', async () => {
    expect(await stdout('overview'))
      .to.contain('\nvisibility\t62.4\n')
      .and.contain('\nsentiment_index\t\n');
    expect(await stdout('overview', '--fields', 'run_count,visibility,brand.id')).to.match(
      /^\d+\t62\.4\t\S+\n$/,
    );
  });
});

describe('--fields', () => {
  const now = session();
  const run = (...args: string[]) => svc(args, now.env);

  it('selects fields in every format of a list', async () => {
    const [first] = fixtures.sources;
    const args = ['sources', '--limit', '1', '--fields', 'citations,domain'];
    const text = async (format: string) => (await run(...args, '--format', format)).stdout;
    const row = { citations: first!.citations, domain: first!.domain };
    expect(await text('tsv')).to.equal(`${row.citations}\t${row.domain}\n`);
    expect(await text('csv')).to.equal(`citations,domain\n${row.citations},${row.domain}\n`);
    expect(JSON.parse(await text('ndjson'))).to.deep.equal(row);
    expect(JSON.parse(await text('json')).sources).to.deep.equal([row]);
    expect(await text('table')).to.match(/^citations {2}domain\n─+ {2}─+\n/);
    expect(await text('md')).to.match(/^\| citations \| domain \|\n/);
  });

  it('selects fields of a report, and refuses to change its payload', async () => {
    const { stdout } = await run('crawlers', '--fields', 'agent,hits', '--format', 'csv');
    expect(stdout).to.match(/^agent,hits\n/);
    const refused = await run('crawlers', '--fields', 'agent', '--format', 'json');
    expect(refused.code).to.equal(2);
    expect(JSON.parse(refused.stdout).error.message).to.equal(
      '--fields does not go with JSON here, which is the payload of the API.',
    );
  });

  it('refuses an unknown field before any request, and names the known ones', async () => {
    const { code, stderr } = await run('sources', '--fields', 'domian');
    expect(code).to.equal(2);
    expect(stderr).to.contain('--fields: unknown field: domian. Did you mean domain?');
    expect(stderr.replace(/\s+/g, ' ')).to.contain('Known fields: domain, classification,');
    expect(now.server.requests).to.deep.equal([]);
  });
});

describe('--sort', () => {
  const now = session();
  const json = async (...args: string[]) => JSON.parse((await svc([...args, '--json'], now.env)).stdout);

  it('sorts the whole list before --limit, and says how many rows are left out', async () => {
    const { sources } = await json('sources', '--sort', 'domain:desc', '--limit', '3');
    const all = fixtures.sources
      .map(({ domain }) => domain)
      .sort()
      .reverse();
    expect(sources.map(({ domain }: { domain: string }) => domain)).to.deep.equal(all.slice(0, 3));
    expect(now.server.requests).to.have.length(3);
    const { stderr } = await svc(['sources', '--sort', 'domain'], now.env);
    expect(stderr).to.contain(`The first 20 of ${all.length}; --all prints every row.`);
  });

  it('costs one request for a list without a cap; null is last', async () => {
    const { prompts } = await json('prompts', '--sort', 'visibility:desc');
    const values: (number | null)[] = prompts.map(
      ({ visibility }: { visibility: number | null }) => visibility,
    );
    const measured = values.filter((value) => value !== null);
    expect(values).to.deep.equal([
      ...measured.toSorted((a, b) => b - a),
      ...values.filter((value) => value === null),
    ]);
    expect(values.length).to.be.above(measured.length);
    expect(now.server.requests).to.deep.equal(['/api/v1/prompts']);
  });

  it('sorts the main rows of a report', async () => {
    const { stdout } = await svc(['crawlers', '--sort', 'hits:desc', '--fields', 'hits'], now.env);
    const hits = stdout.split('\n').flatMap((line) => (line === '' ? [] : [Number(line)]));
    expect(hits).to.deep.equal(hits.toSorted((a, b) => b - a));
    expect(hits.length).to.be.above(1);
  });

  it('does not go with --cursor', async () => {
    expect((await svc(['sources', '--sort', 'domain', '--cursor', ''], now.env)).stderr).to.contain(
      '--sort does not go with --cursor',
    );
  });
});

describe('--limit of a read that is not a list', () => {
  const now = session();

  it('prints the first rows, in the order of --sort', async () => {
    const all = (await svc(['crawlers', '--fields', 'hits', '--sort', 'hits:desc'], now.env)).stdout;
    const first = await svc(['crawlers', '--fields', 'hits', '--sort', 'hits:desc', '--limit', '2'], now.env);
    expect(first.stdout).to.equal(all.split('\n').slice(0, 2).join('\n').concat('\n'));
    const table = await svcTable(['youtube', '--limit', '1'], now.env);
    expect(table.stdout.trimEnd().split('\n')).to.have.length.at.most(4);
  });

  it('is refused with JSON, which is the payload of the API', async () => {
    const { code, stdout } = await svc(['crawlers', '--limit', '2', '--json'], now.env);
    expect(code).to.equal(2);
    expect(JSON.parse(stdout).error.message).to.contain('--limit does not go with JSON here');
  });

  it('is not a flag of a read without rows; --sort is not either', async () => {
    for (const flag of ['--limit', '--sort']) {
      const { stderr } = await svc(['overview', flag, '1'], now.env);
      expect(stderr).to.contain(`Unknown flag: ${flag}`);
    }
  });
});

describe('thresholds', () => {
  const now = session();
  const run = (...args: string[]) => svc(['overview', ...args], now.env);
  const { visibility } = fixtures.overview;

  it('exit with 9 after the output, with one line on standard error per broken rule', async () => {
    const { stdout, stderr, code } = await run(
      ...['--fail-below', `visibility=${visibility + 1}`, '--fail-above', 'run_count=1', '--json'],
    );
    expect(code).to.equal(9);
    expect(JSON.parse(stdout)).to.deep.equal(fixtures.overview);
    expect(stderr).to.equal(
      `visibility is ${visibility}, below ${visibility + 1} (--fail-below).\nrun_count is ${fixtures.overview.run_count}, above 1 (--fail-above).\n`,
    );
  });

  it('are kept at the limit itself', async () => {
    const limit = `visibility=${visibility}`;
    expect((await run('--fail-below', limit, '--fail-above', limit)).code).to.equal(0);
  });

  it('treat null as not measured: neither below nor above, but missing', async () => {
    const unchecked = await run('--fail-below', 'sentiment_index=99', '--fail-above', 'sentiment_index=0');
    expect(unchecked.code).to.equal(0);
    expect(unchecked.stderr.replace(/\s+/g, ' ')).to.contain(
      'sentiment_index is not measured, so --fail-below sentiment_index=99 is not checked',
    );
    const missing = await run('--fail-if-missing', 'sentiment_index', '--quiet');
    expect(missing).to.include({
      code: 9,
      stderr: 'sentiment_index is not measured (--fail-if-missing).\n',
    });
  });

  it('treat the zeros of a brand without runs as not measured', async () => {
    now.server.serve('overview', { ...fixtures.overview, run_count: 0, visibility: 0, measured: null });
    expect((await run('--fail-below', 'visibility=30')).code).to.equal(0);
    expect((await run('--fail-if-missing', 'visibility')).code).to.equal(9);
  });

  it('reach the numbers of an object that may be null', async () => {
    const crawlers = (...args: string[]) => svc(['crawlers', ...args, '--quiet'], now.env);
    expect((await crawlers('--fail-below', 'totals.hits=1')).code).to.equal(0);
    expect((await crawlers('--fail-above', 'totals.hits=1')).code).to.equal(9);
    now.server.serve('crawlers', { ...reports.crawlers, totals: null });
    expect((await crawlers('--fail-below', 'totals.hits=1')).code).to.equal(0);
    expect((await crawlers('--fail-if-missing', 'totals.hits')).code).to.equal(9);
  });

  for (const [flag, value, part] of [
    ['--fail-below', 'visibility', '--fail-below visibility: it takes FIELD=NUMBER.'],
    ['--fail-above', 'visibility=', '--fail-above visibility=: it takes FIELD=NUMBER.'],
    ['--fail-above', 'visibility=high', '--fail-above visibility=high: it takes FIELD=NUMBER.'],
    ['--fail-below', 'visibilty=3', '--fail-below: unknown field: visibilty. Did you mean visibility?'],
    ['--fail-if-missing', 'brand', '--fail-if-missing: unknown field: brand.'],
  ] as const) {
    it(`are refused before any request: ${flag} ${value}`, async () => {
      const { code, stderr } = await run(flag, value);
      expect(code).to.equal(2);
      expect(stderr.replace(/\s+/g, ' '))
        .to.contain(part)
        .and.contain('Known fields: window_days, run_count');
      if (part.includes('FIELD=')) expect(stderr).to.contain(`As in: ${flag} visibility=30.`);
      expect(now.server.requests).to.deep.equal([]);
    });
  }
});

describe('--debug', () => {
  const now = session();

  it('prints a line per response on standard error, never the key', async () => {
    const { stdout, stderr } = await svc(['overview', '--json', '--debug'], now.env);
    expect(JSON.parse(stdout)).to.deep.equal(fixtures.overview);
    expect(stderr).to.match(/^GET \/api\/v1\/overview → 200 in \d+ ms · 117 of 120 tokens left\n$/);
    now.server.refuse(errors.unauthorized());
    const refused = await svc(['--debug', 'overview'], now.env);
    expect(refused.stderr).to.match(/^GET \/api\/v1\/overview → \d{3} in /);
    expect(refused.stderr).to.not.contain(now.env.SVC_API_KEY);
  });
});
