import { expect } from 'chai';
import { demoBrandId, demoDataset } from '../../../../src/demo/data/index.js';
import { NOW } from '../../../demo/data/dataset-of.js';
import { shared } from '../../../support/hooks.js';
import { Naive } from './support/naive.js';
import { toolDatabase } from './support/tool-database.js';

const WINDOW_START = '2026-11-14';
/** Runs of two windows, and what else the tools read. */
const DAYS = { runs: 14, archivedRuns: 1, dailyStats: 1, crawlers: 1, visits: 14, offsite: 56 };

describe('tools on the demo data', () => {
  const records = [...demoDataset(NOW, DAYS)];
  const naive = new Naive(records, demoBrandId, WINDOW_START);
  const tools = shared(toolDatabase);
  before(async () => {
    await tools.load(records, NOW);
  });

  /** Expects equal rows, and at least one. */
  const expectRows = (found: readonly unknown[], wanted: readonly unknown[]) => {
    expect(wanted).not.to.deep.equal([]);
    expect(found).to.deep.equal(wanted);
  };

  it('youtube-citations returns what a simple computation from the records returns', async () => {
    const { videos } = await tools.payload('youtube-citations', demoBrandId, NOW);
    expectRows(videos, naive.videos());
  });

  it('list_offsite_mentions returns what a simple computation from the records returns', async () => {
    const { total, mentions } = await tools.payload('offsite-mentions', demoBrandId, NOW);
    expectRows(mentions, naive.mentions());
    expect(total).to.equal(mentions.length);
  });

  it('list_tracked_pages returns what a simple computation from the records returns', async () => {
    const { pages } = await tools.payload('tracked-pages', demoBrandId, NOW);
    expectRows(pages, naive.trackedPages());
  });

  it('get_site_health returns what a simple computation from the records returns', async () => {
    const { brand: _, note, notes, ...health } = await tools.payload('site-health', demoBrandId, NOW);
    expect([health, note, notes]).to.deep.equal([naive.siteHealth(), null, []]);
  });

  it('get_visitor_stats returns what a simple computation from the records returns', async () => {
    const stats = await tools.payload('visitor-stats', demoBrandId, NOW);
    expect(stats).to.deep.include(naive.visitors());
    expect(stats.totals!.visits).to.be.greaterThan(stats.totals!.ai_referred);
  });

  it('list_community_threads returns what a simple computation from the records returns', async () => {
    const { total, threads } = await tools.payload('community-threads', demoBrandId, NOW);
    expectRows(threads, naive.threads());
    expect(total).to.equal(threads.length);
  });

  it('get_content_coverage returns what a simple computation from the records returns', async () => {
    const { totals, prompts } = await tools.payload('content-coverage', demoBrandId, NOW);
    const wanted = naive.coverage();
    const plain = prompts.map((row) => ({
      ...row,
      own_pages: row.own_pages.map(({ url, citations }) => [url, citations]),
      winners: row.winners.map(({ domain, citations }) => [domain, citations]),
    }));
    expectRows(plain, wanted);
    expect(totals).to.deep.equal({
      prompts: wanted.length,
      measured: wanted.filter(({ run_count }) => run_count > 0).length,
      covered: wanted.filter(({ cites_own }) => cites_own).length,
    });
  });

  it('list_fanouts returns what a simple computation from the records returns', async () => {
    const { total, fanouts } = await tools.payload('fanouts', demoBrandId, NOW);
    const wanted = naive.fanouts();
    expectRows(fanouts, wanted.slice(0, 50));
    expect(total).to.equal(wanted.length);
    expect(new Set(wanted.map(({ is_echo }) => is_echo)).size).to.equal(2);
  });

  it('the tools note for the archived brand that its window is empty', async () => {
    const [archived] = records.flatMap((each) =>
      each.type === 'brand' && each.archived_at ? [each.id] : [],
    );
    for (const tool of ['youtube-citations', 'community-threads', 'fanouts'] as const) {
      expect((await tools.payload(tool, archived!, NOW)).note).to.match(
        /No answer was collected in this window/,
      );
    }
  });
});
