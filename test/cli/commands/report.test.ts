import { expect } from 'chai';
import { today } from '../../../src/cli/render/wording.js';
import { clientReads } from '../../../src/cli/reports/client-reads.js';
import { contentOf, readReport } from '../../../src/cli/reports/weekly.js';
import { markdown, writtenReport } from '../../../src/cli/reports/weekly-document.js';
import type { BrandReads } from '../../../src/contract/brand-reads.js';
import { errors } from '../../../src/contract/errors.js';
import { SvcClient } from '../../../src/sdk/client.js';
import { effect } from '../support/effect-fixtures.js';
import { KEYS } from '../support/fake-server.js';
import * as fixtures from '../support/fixtures.js';
import { history } from '../support/history-fixtures.js';
import { sentiment } from '../support/report-fixtures.js';
import { svc } from '../support/run.js';
import { session } from '../support/session.js';

describe('svc report', () => {
  const now = session();
  const run = (...args: string[]) => svc(['report', ...args], now.env);
  const reads = () => clientReads(new SvcClient({ baseUrl: now.server.url, apiKey: KEYS.full }), {});
  const hostile = '<script>alert("1")</script> | `x` [y](javascript:z)\n# z\u001b[31m';

  it('is one Markdown document of several reads, with the number of requests that the help states', async () => {
    const { stdout, stderr, code } = await run();
    expect({ stderr, code }).to.deep.equal({ stderr: '', code: 0 });
    const titles = [...stdout.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
    expect(titles).to.deep.equal([
      'Fernweh Coffee: visibility in AI answers',
      'What needs you',
      'What moved',
      'Share of voice over time',
      'Competitors',
      'Prompts where the brand is absent',
      'Most cited domains',
      'Quotes about the brand, worst first',
      'AI crawlers on the site',
    ]);
    const { stdout: help } = await run('--help');
    expect(help.replace(/\s+/g, ' ')).to.contain(
      `Sends ${now.server.requests.length - 2} requests, and one for each metric that moved, two for each mark of the last weeks.`,
    );
  });

  it('tells of marks whose effect has a verdict now and had none before these days, and of no others', async () => {
    expect((await run()).stdout).not.to.contain('What was done');
    const unknown = { ...effect, effect: null, interval: null, predicted: null, verdict: 'unknown' as const };
    const { load, loadIfPossible } = reads();
    const changing: BrandReads = {
      loadIfPossible,
      load: async (name, params) =>
        name === 'effect' && params!.until! < '2026-11-14' ? (unknown as never) : load(name, params),
    };
    const stdout = markdown(contentOf(await readReport(changing, { from: '2026-11-14', to: '2026-11-20' })));
    expect(stdout)
      .to.contain('## What was done')
      .and.to.contain('it helped, as far as prompts nobody touched can tell');
  });

  it('begins with the sentence and what needs you, in Markdown and HTML', async () => {
    const { stdout } = await run();
    const [head = ''] = stdout.split('## What moved');
    expect(head)
      .to.contain('**Fernweh Coffee is named in 71 % of answers, ')
      .and.contain('no clear change from 71 %.**');
    expect(head).to.contain('## What needs you\n\nShare of voice is down 2.6 pp, from 37.1 % to 34.5 %. See');
    expect(head).to.contain('Grok never names you (0 of 706). See whom it names instead.');
    const { stdout: page } = await run('--html');
    expect(page.indexOf('is named in 71 %')).to.be.below(page.indexOf('What needs you'));
    expect(page.indexOf('What needs you')).to.be.below(page.indexOf('What moved'));
  });

  it('says because of what a metric moved', async () => {
    const [series] = history.series;
    const trend = { ...series!.trend!, verdict: 'down' as const };
    now.server.serve('metrics/history', { ...history, series: [{ ...series!, trend }] });
    const { stdout } = await run();
    const [, section = ''] = /^## What moved\n(.*?)^## /ms.exec(stdout) ?? [];
    expect(section).to.contain('Visibility: Because of best coffee beans? (−5.0 points).');
  });

  it('states null in words, never as 0 or —', async () => {
    const { stdout } = await run();
    expect(stdout).to.match(/\| Kaffeewerk \| 41\.2 \| 20\.1 \| not measured \| not measured \| 2\.4 \|/);
    expect(stdout).to.not.contain('—');
  });

  it('says of each metric whether it moved, and by what of the two values that it shows', async () => {
    const { stdout } = await run();
    const [, section = ''] = /^## What moved\n(.*?)^## /ms.exec(stdout) ?? [];
    const changes = [...section.matchAll(/^\| \w.*\| (.*) \|$/gm)].map(([, change]) => change!).slice(1);
    expect(changes).to.have.length(5);
    for (const change of changes)
      expect(change).to.match(
        /^(▲ \+[\d.]+ (points|pp)|▼ −[\d.]+ (points|pp)|[+−±][\d.]+ (points|pp), may be chance|unknown|not comparable)$/,
      );
  });

  it('has as many rows in each table as --limit says, and every metric', async () => {
    const rowsOf = (text: string) =>
      Object.fromEntries(
        text
          .split(/^## /m)
          .slice(1)
          .map((section) => [section.split('\n', 1)[0], (section.match(/^\|/gm)?.length ?? 2) - 2]),
      );
    const whole = rowsOf((await run()).stdout);
    const cut = rowsOf((await run('--limit', '1')).stdout);
    expect(whole.Competitors).to.be.above(1);
    expect(cut).to.deep.equal(
      Object.fromEntries(
        Object.entries(whole).map(([title, rows]) => [
          title,
          ['What moved', 'Share of voice over time'].includes(title) ? rows : Math.min(Number(rows), 1),
        ]),
      ),
    );
  });

  it('calls the zeros of a brand without answers not measured', async () => {
    now.server.serve('overview', { ...fixtures.overview, run_count: 0, visibility: 0 });
    const competitors = [{ ...fixtures.competitors[0]!, visibility: 0, share_of_voice_fraction: 0 }];
    now.server.serve('competitors', {
      brand: fixtures.brand,
      competitors,
      ...fixtures.unsliced,
      measured: null,
    });
    const { stdout } = await run('--md');
    expect(stdout).to.contain('No answer was collected in these days: nothing is measured.');
    expect(stdout).to.match(/\| Fernweh Coffee \(brand\) \| not measured \| not measured \|/);
  });

  it('says why crawlers are missing below the plan, and fails for any other refusal', async () => {
    now.server.refuseOne('crawlers', errors.planTooLow('Crawler analytics', 'growth', 'starter'));
    expect((await run()).stdout).to.contain('Not available: Crawler analytics');
    now.server.refuseOne('sources', errors.rateLimited(3600));
    const { stdout, code } = await run();
    expect({ stdout, code }).to.deep.equal({ stdout: '', code: 6 });
  });

  it('is with --html one page without scripts and external files, with every text escaped', async () => {
    const quotes = [{ ...sentiment.quotes[0]!, is_brand: true, quote: hostile, prompt: hostile }];
    now.server.serve('sentiment', { ...sentiment, quotes });
    now.server.serve('overview', { ...fixtures.overview, note: hostile });
    const { stdout } = await run('--html');
    expect(stdout)
      .to.match(/^<!doctype html>\n<html lang="en">/)
      .and.match(/<\/html>\n$/);
    expect(stdout).to.not.match(/<(?:script|link|img|iframe|svg)\b| on\w+=|url\(/i);
    expect(stdout).to.not.contain('\u001b');
    expect(stdout).to.contain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; | `x`');
    expect(
      [...stdout.matchAll(/ href="([^"]*)"/g)].every(([, href]) => href!.startsWith(now.server.url)),
    ).to.equal(true);
    // Every element that is opened is closed.
    const open: string[] = [];
    for (const [, slash, name] of stdout.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
      if (name === 'meta') continue;
      if (slash === '') open.push(name!);
      else expect(open.pop()).to.equal(name);
    }
    expect(open).to.deep.equal([]);
  });

  it('leads in HTML from the advice and the rows to the page, with its days, where its address is known', async () => {
    const { stdout } = await run('--html');
    const links = [...stdout.matchAll(/ href="([^"]*)"[^>]*>([^<]*)/g)].map(([, href, words]) => {
      const { pathname, searchParams, hash } = new URL(href!.replaceAll('&amp;', '&'));
      expect(href).to.match(new RegExp(`^${now.server.url}/brands/br_fernweh`));
      expect([searchParams.has('from'), searchParams.has('to')]).to.deep.equal([true, true]);
      return [words, pathname.replace('/brands/br_fernweh', '') + hash];
    });
    expect(links).to.deep.include(['Open the page', '']);
    expect(links).to.deep.include(['See why it fell.', '']);
    expect(links).to.deep.include(['See whom it names instead.', '/answers']);
    expect(links).to.deep.include(['best decaf espresso | 2026', '/prompts/p_2']);
    expect(links.map(([, path]) => path)).to.include('/sources/reviews-1.example');
    expect((await writtenReport(reads(), today(), null)).html).to.not.contain('/brands/');
  });

  it('has the interval and the amount of each change, also of one that may be chance', async () => {
    const [series] = history.series;
    const trend = {
      ...series!.trend!,
      ...{ verdict: 'no_clear_change' as const, previous_window_value: 26.3, difference: -1.25 },
    };
    const interval: [number, number] = [20, 30];
    now.server.serve('metrics/history', {
      ...history,
      series: [{ ...series!, window_value: 25, interval, trend }],
    });
    const { stdout } = await run();
    expect(stdout).to.match(/\| visibility \| 25\.0 ± 5\.0 \| 26\.3 \| −1\.3 points, may be chance \|/i);
  });

  it('says that days have only daily statistics', async () => {
    now.server.serve('overview', { ...fixtures.overview, run_count: 0, visibility: null, measured: null });
    now.server.serve('metrics/history', { ...history, source: 'daily_stats' });
    const { stdout } = await run();
    expect(stdout)
      .to.contain('only daily statistics: whether')
      .and.contain('only daily statistics: \\`svc history\\` has their values.')
      .and.not.contain('No answer was collected');
  });

  it('cannot be changed by untrusted texts in Markdown', async () => {
    const quotes = [{ ...sentiment.quotes[0]!, is_brand: true, quote: hostile }];
    now.server.serve('sentiment', { ...sentiment, quotes });
    const { stdout } = await run();
    const line = stdout.split('\n').find((each) => each.includes('alert'))!;
    expect(line)
      .to.contain('&lt;script>')
      .and.contain('\\| \\`x\\` \\[y\\](javascript:z) # z[31m'.replace('z[31m', 'z\\[31m'));
  });

  it('prints the payloads under --json', async () => {
    const report = JSON.parse((await run('--json')).stdout);
    expect(report.overview).to.deep.equal(fixtures.overview);
    expect(report.histories).to.have.length(5);
    expect((await run('--json', '--html')).code).to.equal(2);
  });

  it('is what a digest has, in Markdown and HTML', async () => {
    const { title, sentence, markdown, html } = await writtenReport(reads(), today(), now.server.url);
    expect(markdown).to.equal((await run()).stdout);
    expect(html).to.equal((await run('--html')).stdout);
    expect(title).to.equal('Fernweh Coffee: visibility in AI answers');
    expect(markdown).to.contain(`**${sentence}**`);
  });

  it('ends on the day that a digest asks for', async () => {
    await writtenReport(reads(), '2026-11-15', null);
    const windows = now.server.requests.map((path) => new URL(path, now.server.url).searchParams);
    // The first ones find the length.
    // The course has the days before too, of the overview that the server sends.
    const dated = windows.filter((each) => each.has('from') && each.get('from') !== '2026-11-07');
    expect(dated.length).to.be.above(5);
    for (const each of dated)
      expect([each.get('from'), each.get('to')]).to.deep.equal(['2026-09-21', '2026-11-15']);
  });
});
