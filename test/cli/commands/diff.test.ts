import { expect } from 'chai';
import { widthOf } from '../../../src/cli/render/terminal.js';
import { lastDays } from '../../../src/cli/render/wording.js';
import { errors } from '../../../src/contract/errors.js';
import type { History } from '../../../src/contract/reads/history.js';
import type { Overview } from '../../../src/contract/reads/overview.js';
import * as fixtures from '../support/fixtures.js';
import { sliced } from '../support/fixtures.js';
import { history } from '../support/history-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc diff', () => {
  const now = session();
  const run = (...args: string[]) => svcTable(['diff', ...args], { ...now.env, COLUMNS: '80' });
  /** The brand's visibility moved to 26.0 from 30.1, with this verdict. */
  const judged = (verdict: 'down' | 'no_clear_change'): History => {
    const trend = {
      ...history.series[0]!.trend!,
      previous_window_value: 30.1,
      delta: -13.6,
      difference: -4.1,
      verdict,
    };
    const series = {
      ...history.series[0]!,
      window_value: 26,
      interval: [24.1, 27.9] as [number, number],
      trend,
    };
    return { ...history, series: [series], note: null, notes: [] };
  };

  it('reads every metric over 7 days unless another window is given', async () => {
    await run('--brand', 'br_fernweh');
    const metrics = [
      'visibility',
      'presence_rate',
      'share_of_voice_fraction',
      'citation_share',
      'sentiment_index',
    ];
    /** The parameters of each request; they are sent together, and arrive in any order. */
    const sent = () =>
      now.server.requests.map((each) => Object.fromEntries(new URL(each, 'http://x').searchParams));
    const brand = 'br_fernweh';
    const week = lastDays();
    expect(sent()).to.have.deep.members(metrics.map((metric) => ({ brand, metric, ...week })));
    now.server.requests.length = 0;
    await run('--brand', brand, '--from', '2026-11-01', '--to', '2026-11-10', '--engine', 'chatgpt');
    const days = { from: '2026-11-01', to: '2026-11-10' };
    expect(sent()).to.have.deep.members(
      metrics.map((metric) => ({ brand, metric, ...days, engine: 'chatgpt' })),
    );
  });

  it('leaves out the intervals first, and says so', async () => {
    const at = (columns: string) => svcTable(['diff'], { ...now.env, COLUMNS: columns });
    const [wide, narrow] = [await at('80'), await at('50')];
    expect(wide.stdout)
      .to.match(/^metric +value +change +before\n/m)
      .and.contain(' ± ');
    expect(narrow.stdout)
      .to.match(/^metric +value +change +before\n/m)
      .and.not.contain('±');
    expect(wide.stderr).to.not.contain('not shown');
    expect(narrow.stderr).to.contain('not shown at this width: 95 % intervals').and.not.contain('±');
  });

  it('keeps every column at 40 columns, one below the other', async () => {
    now.server.serve('metrics/history', judged('down'));
    const { stdout, stderr } = await svcTable(['diff'], { ...now.env, COLUMNS: '40' });
    expect(stdout).to.match(
      /\nvisibility \(0–100\)\n {2}value +26\.0 ± 1\.9\n {2}change +▼ −4\.1 points\n {2}before +30\.1\n/,
    );
    expect(stderr).to.contain('± ').and.not.contain('not shown at this width');
    for (const line of stdout.split('\n')) expect(widthOf(line), line).to.be.at.most(40);
  });

  it('shows value, interval, verdict and the value before, and says in a sentence what moved', async () => {
    now.server.serve('metrics/history', judged('down'));
    const { stdout, stderr, code } = await run();
    expect(code).to.equal(0);
    expect(stdout).to.match(/^visibility \(0–100\) +26\.0 ± 1\.9 +▼ −4\.1 points +30\.1$/m);
    expect(stdout.replace(/\s+/g, ' ')).to.contain(
      'Visibility moved down by 4.1 points against the window before: from 30.1 to 26.0.',
    );
    expect(stderr).to.contain('moved: up or down by more than chance');
    for (const line of stdout.split('\n')) expect([...line].length).to.be.at.most(80);
  });

  it('says because of what a metric moved, and asks for it only then', async () => {
    await run();
    expect(now.server.requests.filter((each) => each.startsWith('/api/v1/why'))).to.deep.equal([]);
    now.server.serve('metrics/history', judged('down'));
    const { stdout } = await run('--engine', 'chatgpt');
    expect(stdout.replace(/\s+/g, ' ')).to.contain(
      'from 30.1 to 26.0. Because of best coffee beans? (−5.0 points).',
    );
    const [asked] = now.server.requests.filter((each) => each.startsWith('/api/v1/why'));
    expect(asked).to.equal(
      '/api/v1/why?engine=chatgpt&from=2026-10-24&to=2026-11-20&metric=visibility&limit=50',
    );
    const json = await svc(['diff', '--json'], now.env);
    expect(JSON.parse(json.stdout).metrics[0].because).to.equal(
      'Because of best coffee beans? (−5.0 points).',
    );
  });

  it('is silent about reasons where the server has not the read', async () => {
    now.server.serve('metrics/history', judged('down'));
    now.server.refuseOne('why', errors.unknownResource([]));
    const { stdout, code } = await run();
    expect([code, stdout.includes('Because of')]).to.deep.equal([0, false]);
  });

  it('sends the slice with each request, and names it', async () => {
    const { slice } = sliced({ from: null, to: null, tags: ['pricing'], regions: ['us'] });
    now.server.serve('metrics/history', { ...judged('down'), slice });
    const { stdout } = await run('--tag', 'pricing', '--region', 'us');
    expect(stdout).to.contain('\nall engines with web search, tag pricing, region us\n');
    for (const request of now.server.requests) expect(request).to.contain('tag=pricing&region=us');
  });

  it('explains the marks of Markdown too', async () => {
    now.server.serve('metrics/history', judged('down'));
    const { stdout, stderr } = await svc(['diff', '--format', 'md'], now.env);
    expect(stdout).to.contain('| ▼ −4.1 points |');
    expect(stderr).to.contain('moved: up or down by more than chance').and.contain(': 95 % interval');
  });

  it('fits 40 columns with the verdict', async () => {
    now.server.serve('metrics/history', judged('no_clear_change'));
    const { stdout } = await svcTable(['diff'], { ...now.env, COLUMNS: '40' });
    expect(stdout).to.contain('Nothing moved clearly').and.not.contain('▼');
    for (const line of stdout.split('\n')) expect([...line].length).to.be.at.most(40);
  });

  it('ends with 9 if a metric of --fail-if-down moved down, and prints the result first', async () => {
    now.server.serve('metrics/history', judged('down'));
    const failed = await run('--fail-if-down', 'visibility');
    expect(failed.code).to.equal(9);
    expect(failed.stdout).to.contain('▼ −4.1 points');
    expect(failed.stderr).to.contain('Error: Visibility moved down');
    const json = await svc(['diff', '--fail-if-down', 'visibility', '--json'], now.env);
    expect(json.code).to.equal(9);
    expect(JSON.parse(json.stdout).metrics[0]).to.deep.include({ metric: 'visibility', verdict: 'down' });
  });

  it('ends with 0 on a fall that may be chance, however large, and on the fall of another metric', async () => {
    now.server.serve('metrics/history', judged('no_clear_change'));
    expect((await run('--fail-if-down', 'visibility')).code).to.equal(0);
    now.server.serve('metrics/history', { ...judged('down'), metric: 'citation_share' });
    expect((await run('--fail-if-down', 'visibility')).code).to.equal(0);
  });

  it('refuses an unknown metric', async () => {
    const { code, stderr } = await run('--fail-if-down', 'visibilty');
    expect(code).to.equal(2);
    expect(stderr).to.contain('Unknown metric: visibilty.').and.contain('Did you mean visibility?');
  });

  it('without a window to compare with says why', async () => {
    const note = 'A single day has no trend.';
    now.server.serve('metrics/history', {
      ...history,
      series: [{ ...history.series[0]!, trend: null }],
      note,
    });
    const { stdout, stderr } = await run();
    expect(stdout)
      .to.match(/58\.3 ± 2\.4 +unknown +—/)
      .and.contain('Whether anything moved');
    expect(stderr).to.contain(`unknown: ${note}`);
  });
});

describe('svc diff --with', () => {
  const now = session();
  const json = async (...args: string[]) =>
    JSON.parse((await svc(['diff', ...args, '--json'], now.env)).stdout);
  /** Every request has the same response, so both sides are equal but for their parameters. */
  const serve = (change: Partial<Overview>) =>
    now.server.serve('overview', { ...fixtures.overview, ...change });

  it('sends two requests for the same slice but for what --with changes', async () => {
    await json('--engine', 'chatgpt', '--tag', 'pricing', '--with', 'engine=perplexity,grok');
    expect(now.server.requests).to.have.members([
      '/api/v1/overview?engine=chatgpt&tag=pricing',
      '/api/v1/overview?engine=perplexity%2Cgrok&tag=pricing',
    ]);
  });

  it('compares two windows, and the last days as a range that ends today', async () => {
    const range = ['--from', '2026-11-01', '--to', '2026-11-07'];
    await json(...range, '--with', 'from=2026-10-01', '--with', 'to=2026-10-07');
    expect(now.server.requests).to.have.members([
      '/api/v1/overview?from=2026-11-01&to=2026-11-07',
      '/api/v1/overview?from=2026-10-01&to=2026-10-07',
    ]);
    now.server.requests.length = 0;
    await json('--days', '14', '--with', 'engine=grok');
    const to = new Date().toISOString().slice(0, 10);
    const from = new Date(Date.parse(to) - 13 * 86_400_000).toISOString().slice(0, 10);
    expect(now.server.requests).to.have.members([
      `/api/v1/overview?from=${from}&to=${to}`,
      `/api/v1/overview?from=${from}&to=${to}&engine=grok`,
    ]);
  });

  it('prints both sides and the difference, without a verdict', async () => {
    const data = await json('--engine', 'chatgpt', '--with', 'engine=grok');
    expect(data.a).to.deep.equal({
      ...fixtures.unsliced,
      run_count: 1412,
      low_confidence: false,
      note: null,
      notes: [],
    });
    expect(data.metrics).to.have.length(5);
    expect(data.metrics[0]).to.deep.equal({
      metric: 'visibility',
      a: 62.4,
      a_interval: [60.3, 64.5],
      b: 62.4,
      b_interval: [60.3, 64.5],
      difference: 0,
    });
    expect(JSON.stringify(data)).not.to.contain('verdict');
  });

  it('rounds the difference as the metric, and leaves out what is not measured', async () => {
    serve({ citation_share: 0.12034632034632, sentiment_index: null });
    const rows = (await svc(['diff', '--engine', 'grok', '--with', 'engine=aio', '--format', 'csv'], now.env))
      .stdout;
    expect(rows.split('\n')[0]).to.equal(
      'metric,a,a_interval,b,b_interval,difference,a_interval.lower,a_interval.upper,b_interval.lower,b_interval.upper',
    );
    expect(rows)
      .to.contain('sentiment_index,,,,,,,,,\n')
      .and.match(/^citation_share,0\.12034632034632,.*,0,[\d.]*,[\d.]*,[\d.]*,[\d.]*$/m);
  });

  for (const columns of [40, 80, 140])
    it(`fits ${columns} columns, names both sides and says that there is no verdict`, async () => {
      serve(fixtures.sliced({ engines: ['chatgpt'] }));
      const env = { ...now.env, COLUMNS: String(columns) };
      const { stdout, stderr } = await svcTable(['diff', '--engine', 'grok', '--with', 'engine=aio'], env);
      for (const line of stdout.split('\n')) expect([...line].length).to.be.at.most(columns);
      const text = stdout.replace(/\s+/g, ' ');
      expect(text)
        .to.contain('A: ChatGPT, 2026-11-01 to 2026-11-14 (UTC) · 1,412 answers')
        .and.match(/62\.4 ± 2\.1 +(?:B )?62\.4 ± 2\.1/)
        .and.match(/A − B /)
        .and.contain('No verdict on A − B');
      expect(stderr).to.contain(': 95 % interval').and.not.contain('not shown at this width');
    });

  it('shows zeros of a scorecard without runs as not measured', async () => {
    serve({
      ...fixtures.uncertain,
      run_count: 0,
      visibility: 0,
      measured: null,
      note: 'No answer was collected.',
      notes: [{ code: 'of_a_newer_server' }],
    });
    const { stdout, stderr } = await svcTable(['diff', '--with', 'engine=aio'], now.env);
    expect(stdout).to.match(/visibility \(0–100\) +— +— +—/);
    expect(stderr).to.contain('No answer was collected.');
  });

  for (const [args, message] of [
    [['--with', 'engine=grok', '--fail-if-down', 'visibility'], '--with'],
    [['--days', '7', '--from', '2026-11-01', '--with', 'tag=x'], 'Give either --days, or --from and --to.'],
    [['--with', 'metric=visibility'], 'unknown name: metric. Known are from, to, engine, prompt'],
    [['--engine', 'grok', '--with', 'engine=grok'], 'is the same slice'],
  ] as const)
    it(`refuses ${args.join(' ')} before any request`, async () => {
      const { code, stderr } = await svc(['diff', ...args], now.env);
      expect(code).to.equal(2);
      expect(stderr).to.contain(message);
      expect(now.server.requests).to.deep.equal([]);
    });
});
