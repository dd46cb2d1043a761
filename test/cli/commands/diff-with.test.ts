import { expect } from 'chai';
import type { Overview } from '../../../src/contract/reads/overview.js';
import * as fixtures from '../support/fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

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
    });
    expect(data.metrics).to.have.length(4);
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
    expect(rows.split('\n')[0]).to.equal('metric,a,a_interval,b,b_interval,difference');
    expect(rows)
      .to.contain('sentiment_index,,,,,\n')
      .and.match(/^citation_share,0\.12034632034632,.*,0$/m);
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
      expect(stderr).to.contain('± 95 % interval').and.not.contain('not shown at this width');
    });

  it('shows zeros of a scorecard without runs as not measured', async () => {
    serve({
      ...fixtures.uncertain,
      run_count: 0,
      visibility: 0,
      measured: null,
      note: 'No answer was collected.',
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
