import { expect } from 'chai';
import { fact, noted } from '../../../src/contract/notes.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';
import * as fixtures from '../support/tool-fixtures.js';

describe('the output of a command that calls a tool', () => {
  const now = session();
  const run = (command: string, columns = 200) =>
    svcTable([command], { ...now.env, COLUMNS: String(columns) });
  const rowOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start))!;

  it('fanouts: marks echoes, and prints a volume as a number, 0 or —', async () => {
    const { stdout, stderr } = await run('fanouts');
    expect(stdout).to.contain(
      'Searches behind the answers · Fernweh Coffee · 2026-11-14 to 2026-11-20 UTC, 7 days\n1,203 searches, the first 3 shown',
    );
    expect(rowOf(stdout, 'whole bean')).to.match(/no +40 +3 +8,100 +p_1, p_2, p_3 +ChatGPT, AI Mode/);
    expect(rowOf(stdout, 'best decaf[31m espresso')).to.match(/yes +3 +1 +—/);
    expect(rowOf(stdout, 'kaffee abo')).to.match(/no +1 +1 +0 +p_1 +Llama$/);
    expect(stderr).to.contain('— not measured').and.contain('3 most frequent of 1203 searches');
  });

  it('youtube: prints unstated values as —, and 0 likes as 0', async () => {
    const { stdout, stderr } = await run('youtube');
    expect(stdout).to.contain('2 videos · 1,122 citations');
    expect(rowOf(stdout, 'Seven subscriptions')).to.match(
      /Tamper & Test +1,074 +3\.2 +612,904 +Lz9PrMo_2xA +1 +0 +2026-11-20 +2026-01-20 +1,061/,
    );
    expect(rowOf(stdout, '—')).to.match(/^— +— +48 +3\.2 +— +d1aLin30sec +1 +— +— +— +1,061/);
    expect(stderr).to.contain('— not stated').and.not.contain('not measured');
  });

  it('offsite: calls mentions leads, highlights those of the brand, and accepts addresses that are not web pages', async () => {
    const { stdout, stderr } = await run('offsite');
    expect(stdout).to.contain('3 findings · 1 for the brand, 2 for competitors');
    expect(rowOf(stdout, '2026-11-09')).to.match(
      /web +North Roast Collective +Long-term.* — +2026-11-19 09:30/,
    );
    expect(stdout).to.match(/2026-11-16 +news +Fernweh Coffee \(brand\) +Fernweh opens in Graz/);
    expect(stderr).to.contain('— no web address').and.contain('leads found by name, not verified mentions');
  });

  it('tracked-pages: prints 0 only for a stated zero, not for never cited or never fetched', async () => {
    const { stdout, stderr } = await run('tracked-pages', 140);
    expect(stdout).to.contain('Tracked pages · Fernweh Coffee · all time\n3 pages\n');
    expect(rowOf(stdout, 'fernweh.example/shop')).to.match(/2,010 +2026-11-21 +29 +0 +1,970 +2026-09-23/);
    expect(rowOf(stdout, 'fernweh.example/guides')).to.match(/2,010 +2026-11-21 +— +— +1,970 +2026-09-23 +—/);
    expect(rowOf(stdout, 'fernweh.example/ ')).to.match(/ 0 +— +— +1,840 +0 +— /);
    expect(stderr).to.match(/— (never cited|never fetched|not stated)( or \S+ \S+){2}\n/);
  });

  it('tracked-pages: says that no rank was ever fetched', async () => {
    const pages = fixtures.trackedPages.pages.slice(1, 2);
    now.server.tools.serve('list_tracked_pages', { ...fixtures.trackedPages, total: 1, pages });
    const { stdout, stderr } = await run('tracked-pages', 80);
    expect(stdout)
      .to.contain('\n1 page\n')
      .and.match(/last cited +ranks/);
    expect(rowOf(stdout, 'fernweh.example/guides')).to.match(/2,010 +2026-11-21 +—/);
    expect(stderr).to.contain('— never fetched');
  });

  it('site-health: prints pages, times with their scale, and the slowest pages', async () => {
    const { stdout } = await run('site-health');
    expect(stdout).to.contain(
      'Site health · Fernweh Coffee · fernweh.example\nnewest check 2026-11-20 03:01 UTC',
    );
    expect(stdout).to.match(/on record +ok +errors +bot walls +measured\n.*\n +1,260 +1,152 +4 +0 +1,153\n/);
    expect(stdout).to.match(
      /median \(ms\) +90th percentile \(ms\) +slowest \(ms\)\n.*\n +334 +476\.5 +1,023\n/,
    );
    expect(rowOf(stdout, 'fernweh.example/journal')).to.match(/404 +454$/);
  });

  it('site-health: says that the site was never crawled, or crawled but not timed', async () => {
    now.server.tools.serve('get_site_health', fixtures.neverCrawled);
    const never = await run('site-health');
    expect(never.stdout).to.contain('Never crawled.').and.not.match(/[0—]/);
    expect(never.stderr).to.contain('never crawled, so counts are not known: not measured, not zero.');
    now.server.tools.serve('get_site_health', {
      ...fixtures.siteHealth,
      measured_pages: 0,
      ttfb_ms: null,
      slowest: [],
    });
    const untimed = await run('site-health');
    expect(untimed.stdout)
      .to.contain('No measured pages.')
      .and.not.contain('median')
      .and.not.contain('Slowest');
  });

  it('visitors: prints totals and three lists', async () => {
    const { stdout } = await run('visitors');
    expect(stdout).to.contain('8,971 visits · 1,127 of them referred by AI assistants');
    expect(rowOf(stdout, '/ ')).to.match(/3,023 +377$/);
    expect(rowOf(stdout, '/shop')).to.match(/616 +0$/);
    expect(rowOf(stdout, 'chatgpt.com')).to.match(/580$/);
    expect(rowOf(stdout, 'DE')).to.match(/4,686$/);
  });

  it('visitors: says that a list is cut if it has the maximum length', async () => {
    const countries = Array.from({ length: 20 }, (_, at) => ({ country: `C${at}`, visits: 20 - at }));
    now.server.tools.serve('get_visitor_stats', { ...fixtures.visitors, ai_sources: [], countries });
    const { stdout } = await run('visitors');
    expect(stdout).to.contain('Countries, the first 20\n').and.contain('\nPages\n');
    expect(stdout).to.contain('No visits referred by AI assistants.');
  });

  it('visitors: says that the snippet never reported', async () => {
    const silent = { connected: false, totals: null, top_pages: [], ai_sources: [], countries: [] };
    now.server.tools.serve('get_visitor_stats', { ...fixtures.visitors, ...silent });
    const { stdout } = await run('visitors');
    expect(stdout)
      .to.contain('The tracking snippet never reported')
      .and.not.match(/\b0\b|No visit/);
  });

  it('threads: distinguishes yes, no and not checked', async () => {
    const { stdout, stderr } = await run('threads');
    expect(stdout).to.contain('3 cited threads · the brand is in 1 of 2 checked');
    expect(rowOf(stdout, 'Which subscription')).to.match(/forum +no +1,280 +1,270 +2026-11-20/);
    expect(rowOf(stdout, 'Decaf without')).to.match(/qa +yes +1,280/);
    expect(rowOf(stdout, '—')).to.match(/^— +coffee-forum\.example +— +— +30 +1,270 +— /);
    expect(stderr).to.match(/— not stated or not checked/);
    const unchecked = fixtures.threads.threads.slice(2);
    now.server.tools.serve('list_community_threads', { ...fixtures.threads, total: 1, threads: unchecked });
    expect((await run('threads')).stdout).to.contain('1 cited thread · none checked for the brand');
  });

  it('coverage: distinguishes covered, not covered and without an answer', async () => {
    const { stdout, stderr } = await run('coverage');
    expect(stdout).to.contain(
      '3 active prompts, 2 measured · answers to 1 of these cite a page of the brand',
    );
    expect(rowOf(stdout, 'p_1 ')).to.match(
      /31 +yes +2 +coffee-forum\.example 16, northroast\.example 13, roast-weekly\.example 12 +\/shop\/whole-beans/,
    );
    expect(rowOf(stdout, 'p_2  best decaf')).to.match(/31 +no +0$/);
    expect(rowOf(stdout, 'p_3  fair trade')).to.match(/ 0 +— +— +—$/);
    expect(stderr).to.contain('— no answer collected');
  });

  it('coverage: calls no prompt uncovered if none was measured', async () => {
    const prompts = fixtures.coverage.prompts.slice(2);
    const totals = { prompts: 1, measured: 0, covered: 0 };
    now.server.tools.serve('get_content_coverage', { ...fixtures.coverage, totals, prompts });
    expect((await run('coverage')).stdout).to.contain(
      '2026-11-14 to 2026-11-20 UTC, 7 days\nall engines with web search\n1 active prompt, none measured\n',
    );
  });

  it('says that there is no data, without a count of zero', async () => {
    const stated = noted([fact('never_collected')]);
    const nothing = { ...stated, total: 0 };
    const { tools } = now.server;
    tools.serve('list_fanouts', { ...fixtures.fanouts, ...nothing, fanouts: [] });
    tools.serve('list_youtube_citations', { ...fixtures.youtube, ...stated, videos: [] });
    tools.serve('list_offsite_mentions', { ...fixtures.offsite, ...nothing, mentions: [] });
    tools.serve('list_tracked_pages', { ...fixtures.trackedPages, ...nothing, pages: [] });
    tools.serve('list_community_threads', { ...fixtures.threads, ...nothing, threads: [] });
    tools.serve('get_content_coverage', {
      ...fixtures.coverage,
      ...stated,
      totals: { prompts: 0, measured: 0, covered: 0 },
      prompts: [],
    });
    const words = {
      fanouts: 'No searches on record in this window.',
      youtube: 'No cited videos on record in this window.',
      offsite: 'No findings on record.',
      'tracked-pages': 'No tracked pages.',
      threads: 'No cited threads on record in this window.',
      coverage: 'No active prompts.',
    };
    for (const [command, text] of Object.entries(words)) {
      const { stdout, stderr } = await run(command);
      expect(stdout, command).to.contain(text).and.not.match(/\b0\b/);
      expect(stderr, command).to.contain(stated.note);
    }
  });

  it('prints addresses as links in Markdown', async () => {
    const markdown = async (command: string) => (await svc([command, '--format', 'md'], now.env)).stdout;
    const youtube = '](<https://www.youtube.com/watch?v=Lz9PrMo_2xA>)';
    expect(await markdown('youtube'))
      .to.contain(`Seven subscriptions for whole beans`)
      .and.contain(youtube);
    expect(await markdown('visitors')).to.contain('[/](<https://fernweh.example/>)');
    expect(await markdown('coverage')).to.contain(
      '[/shop/whole-beans](<https://www.fernweh.example/shop/whole-beans>)',
    );
    expect(await markdown('threads')).to.contain(
      '[Decaf without regrets](<https://www.coffee-forum.example/t/2>)',
    );
  });
});
