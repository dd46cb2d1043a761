import { expect } from 'chai';
import type { Competitor } from '../../../src/contract/reads/competitors.js';
import * as fixtures from '../support/fixtures.js';
import * as reports from '../support/report-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

describe('a value that no run measured', () => {
  const now = session();
  const wide = (columns = 140) => ({ ...now.env, COLUMNS: String(columns) });
  const nothing = {
    ...fixtures.overview,
    ...{ run_count: 0, visibility: 0, presence_rate: 0, share_of_voice: 0, share_of_voice_fraction: 0 },
    ...{ citation_share: null, avg_position: null, low_confidence: true, has_prior_window: false },
    measured: null,
    ...fixtures.uncertain,
  };
  const absent: Competitor[] = fixtures.competitors.map((row) => ({
    ...row,
    ...{ visibility: 0, share_of_voice: 0, share_of_voice_fraction: 0 },
    ...{ citation_share: null, sentiment_index: null, avg_position: null },
    ...fixtures.uncertainCompetitor,
  }));

  it('is — on the scorecard, in Markdown too, and without a ~', async () => {
    now.server.serve('overview', nothing);
    for (const format of ['table', 'md']) {
      const { stdout, stderr } = await svc(['overview', '--format', format], wide());
      for (const head of ['visibility \\(0–100\\)', 'presence \\(%\\)', 'share of voice \\(%\\)'])
        expect(stdout).to.match(new RegExp(`${head} [ |]*—`));
      expect(stdout)
        .to.match(/answers [ |]*0/)
        .and.not.contain('~');
      expect(stderr).to.contain('— not measured').and.not.contain('low confidence');
    }
  });

  it('is empty in the csv of the scorecard, and unchanged in JSON', async () => {
    now.server.serve('overview', nothing);
    const csv = (await svc(['overview', '--format', 'csv'], now.env)).stdout;
    expect(csv.split('\n')[1]).to.match(
      /^br_fernweh,Fernweh Coffee,fernweh\.example,7,0,,,,,,,,true,false,,[^\n]*,0\.95,day,,,,,,0,,,,unknown,/,
    );
    for (const format of ['json', 'ndjson'])
      expect(JSON.parse((await svc(['overview', '--format', format], now.env)).stdout)).to.deep.equal(
        nothing,
      );
  });

  it('is — for competitors where the body says that nothing was measured, without a second request', async () => {
    now.server.serve('competitors', {
      brand: fixtures.brand,
      competitors: absent,
      ...fixtures.unsliced,
      measured: null,
    });
    const { stdout } = await svcTable(['competitors'], wide());
    expect(now.server.requests).to.deep.equal(['/api/v1/competitors']);
    for (const name of ['Fernweh Coffee (brand)', 'Kaffeewerk']) {
      const row = stdout.split('\n').find((line) => line.startsWith(name))!;
      expect(row)
        .to.match(/ — +— +— +— +—/)
        .and.not.contain('0.0');
    }
    const csv = (await svc(['competitors', '--format', 'csv'], now.env)).stdout;
    expect(csv).to.contain(
      'North Roast Collective,northroast.example,false,,,,,,,0.95,day,,,,,0,,,,unknown,',
    );
    const { competitors } = JSON.parse((await svc(['competitors', '--json'], now.env)).stdout);
    expect(competitors).to.deep.equal(absent);
  });

  it('differs from a measured zero, which stays 0', async () => {
    now.server.serve('competitors', { brand: fixtures.brand, competitors: absent, ...fixtures.unsliced });
    const { stdout } = await svcTable(['competitors'], wide());
    expect(stdout).to.match(/Kaffeewerk +0\.0 +unknown +0\.0 +— /);
    expect(now.server.requests).to.deep.equal(['/api/v1/competitors']);
  });

  it('is — for URLs that only the week before cited', async () => {
    const urls = [{ ...fixtures.urls[1]!, citations: 0, answers: 0, prior_citations: 12 }];
    now.server.serve('urls', { brand: fixtures.brand, urls, ...fixtures.unsliced, measured: null });
    expect((await svcTable(['urls'], wide(200))).stdout).to.match(/decaf\?page=2 +— +12 +— /);
  });

  it('is — in the tones of engines without runs', async () => {
    const zero = { mentions: 0, positive: 0, neutral: 0, negative: 0, unscored: 0, sentiment_index: null };
    const entities = reports.sentiment.entities.map((one) => ({ ...one, ...zero }));
    const silent = { run_count: 0, entities, by_engine: [], quotes: [], quotes_total: 0, measured: null };
    now.server.serve('sentiment', { ...reports.sentiment, ...silent });
    const { stdout } = await svcTable(['sentiment'], wide());
    expect(stdout).to.match(/Kaffeewerk +— +— +— +— +— +—\n/);
  });

  it('is noted if carousels could not be observed or no ad was ever captured', async () => {
    const totals = { carousels: 0, products: 0, own_appearances: 0, own_avg_position: null };
    const unseen = { engine: 'chatgpt', status: 'parses-today', sampled: false, carousels: null } as const;
    now.server.serve('shopping', {
      ...reports.shopping,
      ...{ totals, products: [], channel_coverage: [unseen] },
    });
    const { stdout } = await svcTable(['shopping'], wide());
    expect(stdout).to.contain('whether there were carousels is not known').and.not.contain('0 carousels');
    const capture = { all_time_units: 0, first_captured_at: null, last_captured_at: null };
    now.server.serve('ads', { ...reports.ads, capture, ads: [], totals: { units: 0, advertisers: 0 } });
    expect((await svcTable(['ads'], wide())).stdout).to.not.contain('0 ad units');
  });
});
