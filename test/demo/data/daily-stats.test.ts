import { expect } from 'chai';
import { dayOfText } from '../../../src/demo/data/calendar.js';
import { dailyStats } from '../../../src/demo/data/daily-stats.js';
import { espresso } from '../../../src/demo/data/market.js';
import { NOW, recordsOf } from './dataset-of.js';

describe('the daily statistics of the demo', () => {
  const stats = recordsOf('daily_stat');

  it('cover sixty days that are older than the runs and than the 56 live days', () => {
    const dates = [...new Set(stats.map(({ date }) => date))].sort();
    expect(dates).to.have.lengthOf(60);
    const firstRun = recordsOf('run')
      .filter(({ brand }) => brand === 'torvello')
      .map((run) => run.collected_at)
      .sort()[0]!;
    expect(dates.at(-1)! < firstRun.slice(0, 10)).to.equal(true);
    expect(NOW.getTime() - Date.parse(dates.at(-1)!)).to.be.above(56 * 86_400_000);
  });

  it('have shares of voice that add up to 1, or are all null, per day and engine', () => {
    const sums = new Map<string, number | null>();
    for (const { date, engine, share_of_voice_fraction: share } of stats) {
      const key = `${date} ${engine}`;
      sums.set(key, share == null ? null : (sums.get(key) ?? 0) + share);
    }
    for (const [key, sum] of sums) if (sum !== null) expect(sum, key).to.be.closeTo(1, 1e-9);
  });

  it('are null without a domain, a citation or a tone', () => {
    const ofEntity = (id: string) => stats.filter(({ entity }) => entity === id);
    expect(ofEntity('oskari-lab').every(({ citation_share }) => citation_share === null)).to.equal(true);
    expect(
      stats.filter(({ engine }) => engine === 'llama').every((stat) => stat.citation_share === null),
    ).to.equal(true);
    const absent = ofEntity('torvello').filter(({ engine }) => engine === 'grok');
    expect(absent.every((stat) => stat.visibility === 0 && stat.sentiment_index === null)).to.equal(true);
    expect(absent.every((stat) => stat.run_count > 0)).to.equal(true);
  });

  it('equal the statistics of the runs of that day', () => {
    const day = dayOfText('2026-11-10');
    const runs = recordsOf('run').filter(
      (run) => run.brand === 'torvello' && run.collected_at.startsWith('2026-11-10'),
    );
    const chatgpt = runs.filter(({ engine }) => engine === 'chatgpt');
    const orders = chatgpt.flatMap(
      (run) => run.mentions.find(({ name }) => name.startsWith('Lanzaro'))?.order ?? [],
    );
    const visibility =
      (100 / chatgpt.length) * orders.reduce((sum, order) => sum + 1 / Math.log2(1 + order), 0);
    const stat = [...dailyStats(espresso, day)].find(
      (s) => s.engine === 'chatgpt' && s.entity === 'lanzaro',
    )!;
    expect(stat.run_count).to.equal(chatgpt.length);
    expect(stat.visibility).to.be.closeTo(visibility, 1e-6);
  });
});
