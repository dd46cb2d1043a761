import { expect } from 'chai';
import { demoBrandId } from '../../../src/demo/data/index.js';
import { NOW, recordsOf } from './dataset-of.js';

const DAY_MS = 86_400_000;

describe('the other records of the demo', () => {
  it('include crawler hits only of the main brand, over the last 28 days, from several agents', () => {
    const events = recordsOf('crawler_event');
    expect(new Set(events.map(({ brand }) => brand))).to.deep.equal(new Set([demoBrandId]));
    expect(new Set(events.map(({ time }) => time.slice(0, 10))).size).to.equal(28);
    const agents = new Set(events.map(({ agent }) => agent));
    for (const agent of [
      'gptbot',
      'oai-searchbot',
      'chatgpt-user',
      'claudebot',
      'claude-user',
      'perplexitybot',
      'bingbot',
      'googlebot',
    ]) {
      expect(agents.has(agent), agent).to.equal(true);
    }
    for (const { path } of events) expect(path).to.match(/^\/[\w./-]*$/);
    expect(new Set(events.map(({ status }) => status)).size).to.be.above(4);
  });

  it('never include a fetch of robots.txt by an agent that acts for a user', () => {
    const fetched = recordsOf('crawler_event').filter(({ path }) => path === '/robots.txt');
    expect(fetched.length).to.be.above(0);
    expect(fetched.filter(({ agent }) => agent.endsWith('-user'))).to.deep.equal([]);
  });

  it('include a crawl of about 60 pages with bot walls, errors and pages without a time to first byte', () => {
    const pages = recordsOf('site_page');
    expect(pages.length).to.be.within(50, 70);
    expect(pages.some((page) => page.bot_wall === true)).to.equal(true);
    expect(pages.some((page) => page.status >= 400 && !page.bot_wall)).to.equal(true);
    expect(pages.some((page) => page.status === 200 && page.ttfb_ms === undefined)).to.equal(true);
  });

  it('include visits of the last 14 days, with and without an AI source, and fewer for the current day', () => {
    const visits = recordsOf('visit_day');
    expect(new Set(visits.map(({ date }) => date)).size).to.equal(14);
    expect(visits.some(({ ai_source }) => ai_source === 'chatgpt.com')).to.equal(true);
    expect(visits.some(({ ai_source }) => ai_source === undefined)).to.equal(true);
    expect(visits.some(({ country }) => country === undefined)).to.equal(true);
    const total = (date: string) =>
      visits.filter((v) => v.date === date).reduce((sum, v) => sum + v.visits, 0);
    expect(total('2026-11-20')).to.be.below(total('2026-11-19') * 0.75);
  });

  it('include visits that answers sent on the days of the crawler hits', () => {
    const days = recordsOf('referring_day').map(({ date }) => date);
    expect(new Set(days).size).to.equal(28);
    const rows = recordsOf('referral_day');
    expect(new Set(rows.map(({ date }) => date))).to.deep.equal(new Set(days));
    expect(new Set(rows.map(({ product }) => product))).to.include.members([
      'chatgpt',
      'perplexity',
      'claude',
    ]);
    for (const { visits, pageviews } of rows) expect(pageviews).to.be.at.least(visits);
  });

  it('include offsite mentions in several weeks', () => {
    const weeks = new Set(recordsOf('offsite_mention').map(({ week }) => week));
    expect(weeks.size).to.be.at.least(5);
    for (const week of weeks) expect(NOW.getTime() - Date.parse(week)).to.be.below(64 * DAY_MS);
  });

  it('describe only videos and threads that answers cite', () => {
    const cited = recordsOf('run').flatMap((run) => run.citations.map(({ url }) => url));
    for (const { video_id } of recordsOf('youtube_video')) {
      expect(
        cited.some((url) => url.includes(video_id)),
        video_id,
      ).to.equal(true);
    }
    for (const { url } of recordsOf('community_thread')) expect(cited.includes(url), url).to.equal(true);
  });

  it('include measured volumes of searches that engines ran', () => {
    const searched = new Set(recordsOf('run').flatMap((run) => run.fanouts ?? []));
    for (const { query } of recordsOf('fanout_volume')) expect(searched.has(query), query).to.equal(true);
    expect(searched.size).to.be.above(recordsOf('fanout_volume').length);
  });

  it('include tracked pages with ranks and without fetched ranks', () => {
    const pages = recordsOf('tracked_page');
    expect(pages.some(({ ranks }) => (ranks?.length ?? 0) > 0)).to.equal(true);
    expect(pages.some(({ ranks }) => ranks === undefined)).to.equal(true);
  });
});
