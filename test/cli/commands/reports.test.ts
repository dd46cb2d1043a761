import { expect } from 'chai';
import * as fixtures from '../support/report-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';

describe('the output of a read', () => {
  const now = session();
  const run = (command: string, columns = 140) =>
    svcTable([command], { ...now.env, COLUMNS: String(columns) });
  const rowOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start))!;

  it('sentiment: prints null as —, not as 50, and unscored mentions in their own column', async () => {
    const { stdout, stderr } = await run('sentiment');
    expect(rowOf(stdout, 'Fernweh Coffee (brand)')).to.match(/62\.5 +1,003 +3 +4 +1 +995$/);
    expect(rowOf(stdout, 'Kaffeewerk')).to.match(/— +8 +0 +0 +0 +8$/);
    expect(rowOf(stdout, 'Grok')).to.match(/— +0 /);
    expect(stderr).to.contain('— not measured');
  });

  it('sentiment: prints quotes in the API’s order, wrapped, with tone, date, engine and entity', async () => {
    const { stdout } = await run('sentiment', 60);
    const heads = stdout.split('\n').filter((line) => line.includes('2026-11-19'));
    expect(heads).to.deep.equal([
      'negative · 2026-11-19 · Perplexity · Fernweh Coffee (brand)',
      'neutral · 2026-11-19 · Perplexity · Beanhaul (not tracked)',
      'positive · 2026-11-19 · Perplexity · Kaffeewerk',
    ]);
    expect(stdout).to.contain('Quotes, worst first (3 of 1,203)');
    expect(stdout).to.match(/“the decaf\[31m tastes flat, and two of three\n +parcels/);
    expect(stdout).to.contain('asked:  best decaf espresso | 2026');
  });

  describe('sentiment with more quotes than fit a screen', () => {
    const [one] = fixtures.sentiment.quotes;
    const quotes = Array.from({ length: 40 }, (_, at) => ({ ...one!, quote: `quote ${at + 1}.` }));
    const shown = (text: string) => text.match(/“quote \d+\.”/g)?.length ?? 0;
    beforeEach(() => now.server.serve('sentiment', { ...fixtures.sentiment, quotes, quotes_total: 330 }));

    it('prints ten, and explains how to see more', async () => {
      const { stdout } = await run('sentiment');
      expect(shown(stdout)).to.equal(10);
      expect(stdout).to.contain('Quotes, worst first (10 of 330)');
      expect(stdout).to.contain('--quotes 40 shows 40 of them, --format csv lists them.');
    });

    it('prints the number of --quotes', async () => {
      const { stdout } = await svcTable(['sentiment', '--quotes', '40'], now.env);
      expect(shown(stdout)).to.equal(40);
      expect(stdout).to.contain('(40 of 330)').and.not.contain('--quotes');
      expect((await svc(['sentiment', '--quotes', '41'], now.env)).code).to.equal(2);
    });

    it('prints all of them in other formats, or the number of --quotes', async () => {
      const rows = async (...args: string[]) =>
        (await svc(['sentiment', '--format', 'ndjson', ...args], now.env)).stdout.trimEnd().split('\n')
          .length;
      expect(await rows()).to.equal(40);
      expect(await rows('--quotes', '3')).to.equal(3);
    });
  });

  it('sentiment: marks an index of few runs as uncertain', async () => {
    now.server.serve('sentiment', { ...fixtures.sentiment, run_count: 4 });
    expect((await run('sentiment')).stdout).to.contain('~62.5');
  });

  it('ads: prints unstated fields as —, and notes that other engines are unknown', async () => {
    const { stdout, stderr } = await run('ads');
    expect(stdout)
      .to.contain('2 ad units, 1 advertiser named')
      .and.contain('Engines that state ads: ChatGPT.');
    expect(stdout).to.contain('1,099 units on record, 2026-07-02 to 2026-11-20.');
    expect(rowOf(stdout, '2026-11-20')).to.match(/Beanhaul +beanhaul\.example +1 +Espresso machines/);
    expect(rowOf(stdout, '2026-11-14')).to.match(/ChatGPT +— +— +0/);
    expect(stderr).to.contain('— not stated').and.not.contain('not measured');
  });

  it('ads: says that no ad was ever captured', async () => {
    const capture = { all_time_units: 0, first_captured_at: null, last_captured_at: null };
    const window = { start: null, end: null, days: 7 };
    now.server.serve('ads', {
      ...fixtures.ads,
      window,
      capture,
      ads: [],
      totals: { units: 0, advertisers: 0 },
    });
    const { stdout } = await run('ads');
    expect(stdout).to.contain('No ad was ever captured').and.contain('No ads in this window.');
  });

  it('shopping: prints products and channels, with — for an unobservable channel and 0 for one without carousels', async () => {
    const { stdout, stderr } = await run('shopping');
    expect(stdout).to.contain(
      '47 carousels · 91 products · own products in 1 place, at position 4.0 on average',
    );
    expect(rowOf(stdout, 'North Roast Espresso')).to.match(/€24\.90 +14 +42\.9 +25\.5 +2\.4$/);
    expect(rowOf(stdout, 'Fernweh Decaf (own)')).to.match(/12\.5 EUR +1 +0\.0 /);
    expect(rowOf(stdout, 'Kaffeewerk')).to.match(/Filter +— +— +14 /);
    expect(rowOf(stdout, 'ChatGPT')).to.match(/yes +0$/);
    expect(rowOf(stdout, 'Copilot')).to.match(/awaited from the vendor +yes +—$/);
    expect(stderr).to.contain('— not stated or not measured');
  });

  it('shopping: the help says what the win rate does not mean', async () => {
    const { stdout } = await svc(['shopping', '--help'], now.env);
    expect(stdout.replace(/\s+/g, ' '))
      .to.contain('share of a product’s own appearances that were in slot 1')
      .and.contain('not a head-to-head rate');
  });

  it('shopping-trend: prints no position for a day without own products', async () => {
    const { stdout } = await run('shopping-trend');
    expect(stdout).to.contain('2 of 7 days with carousels');
    expect(rowOf(stdout, '2026-11-18')).to.match(/9 +55\.6 +0\.0 +4\.5$/);
    expect(rowOf(stdout, '2026-11-20')).to.match(/3 +0\.0 +0\.0 +—$/);
  });

  it('fact-check: prints the discrepancies with claim and truth', async () => {
    const { stdout } = await run('fact-check', 80);
    expect(stdout).to.contain(
      'checked 3 days ago (2026-11-17 14:22 UTC) · 7 answers compared · cost 0.0132 USD',
    );
    expect(stdout).to.contain(
      'high · Copilot\n  claim  It was founded in 1998.\n  truth  It was founded in 2011.\n',
    );
    expect(stdout).to.not.contain('STALE');
  });

  it('fact-check: says that a result is missing, stale, of unknown age, or without discrepancies', async () => {
    const { brand } = fixtures.factCheck;
    const result = { ...fixtures.factCheck.fact_check!, stale: true };
    now.server.serve('fact-check', {
      brand,
      fact_check: null,
      note: 'No check has run.',
      notes: [{ code: 'of_a_newer_server' }],
    });
    const never = await run('fact-check');
    expect(never.stdout).to.contain('Never checked.').and.not.contain('matched');
    expect(never.stderr).to.contain('No check has run.');
    now.server.serve('fact-check', {
      brand,
      fact_check: { ...result, age_days: 9, cost_usd: null },
      note: null,
      notes: [],
    });
    const stale = await run('fact-check');
    expect(stale.stdout).to.contain('STALE').and.contain('7 or more days old').and.contain('cost unknown');
    now.server.serve('fact-check', {
      brand,
      fact_check: { ...result, age_days: null, checked_at: 'yesterday', discrepancies: [] },
      note: null,
      notes: [],
    });
    const { stdout } = await run('fact-check');
    expect(stdout).to.contain('unreadable time (yesterday)').and.contain('age of this result is not known');
    expect(stdout).to.contain('Every checked answer matched the knowledge base.');
  });

  it('crawlers: marks verdicts, names purposes, and highlights agents whose block hides the site from answers', async () => {
    const { stdout } = await run('crawlers');
    expect(stdout).to.contain('1,553 requests for 65 pages · newest log line 2026-11-20 14:22 UTC');
    expect(stdout).to.contain('! Disallowed by robots.txt although answers need it: OAI-SearchBot.');
    expect(rowOf(stdout, 'GPTBot')).to.match(
      /training +1,104 +552 +100.0 % +100.0 % +0 +✗ disallowed +ChatGPT +2026-11-20 14:11 UTC/,
    );
    expect(rowOf(stdout, 'ChatGPT-User')).to.match(/for a user +449 +225 +100.0 % +100.0 % +0 +· not named/);
    expect(rowOf(stdout, 'OAI-SearchBot')).to.match(/search index +0 +0 +— +— +— +✗ disallowed !/);
    expect(stdout).to.contain('2 more known crawlers without a request').and.not.contain('CCBot');
  });

  it('crawlers: prints every agent in the other formats, and in the table if no logs are connected', async () => {
    const markdown = await svc(['crawlers', '--format', 'md'], now.env);
    expect(markdown.stdout).to.contain('CCBot').and.contain('Google-Extended (robots.txt only)');
    const agents = fixtures.crawlers.agents.map((agent) => ({
      ...agent,
      hits: null,
      pages: null,
      robots: null,
    }));
    const unconnected = {
      connected: false,
      last_event_at: null,
      totals: null,
      robots_fetch_state: 'error',
    } as const;
    now.server.serve('crawlers', { ...fixtures.crawlers, ...unconnected, agents });
    const { stdout, stderr } = await svcTable(['crawlers'], { ...now.env, COLUMNS: '200' });
    expect(stdout.trimEnd().split('\n')).to.deep.equal([
      'AI crawlers · Fernweh Coffee · 2026-11-14 to 2026-11-20 UTC, 7 days',
      'No crawler log was ever received, so requests are not known: `svc ingest FILE` ships one. robots.txt could not be read: verdicts are not known.',
      '`svc ingest --follow FILE` ships what is written from now on; `svc ingest setup vercel|cloudflare|nginx|apache` prints the settings of a platform.',
    ]);
    expect(stderr).to.equal('');
  });
});
