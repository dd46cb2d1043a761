import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import { tagGroups } from '../../../src/contract/reads/tag-groups.js';
import { citedUrl } from '../../../src/contract/reads/urls.js';
import { resources } from '../../../src/contract/registry.js';
import { toolNames } from '../../../src/contract/tools.js';
import * as fixtures from '../support/fixtures.js';
import { history } from '../support/history-fixtures.js';
import * as reports from '../support/report-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';
import * as tools from '../support/tool-fixtures.js';

describe('--format', () => {
  const now = session();
  const stdout = async (...args: string[]) => (await svc(args, now.env)).stdout;

  it('json prints the same as --json', async () => {
    expect(await stdout('urls', '--format', 'json')).to.equal(await stdout('urls', '--json'));
  });

  it('ndjson prints one exact row per line', async () => {
    const lines = (await stdout('urls', '--format', 'ndjson')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).to.deep.equal(fixtures.urls);
  });

  it('ndjson prints the payload of a scorecard', async () => {
    const text = await stdout('overview', '--format', 'ndjson');
    expect(JSON.parse(text)).to.deep.equal(fixtures.overview);
  });

  it('csv has the fields of the contract, empty cells for null, and quotes where necessary', async () => {
    const text = await stdout('urls', '--format', 'csv');
    const [head, first, second] = text.split('\n');
    expect(head).to.equal(Object.keys(citedUrl.fields).join(','));
    expect(first).to.contain(
      ',editorial,false,84,,61,"[""chatgpt"",""perplexity"",""gemini""]",true,listicle',
    );
    expect(second).to.contain(',Decaf[31m without regrets? A thread,ugc,true,0,12,0,[],false,');
  });

  it('csv has the unchanged texts of the API under --raw', async () => {
    const [, , ...rest] = (await stdout('urls', '--format', 'csv', '--raw')).split('\n');
    expect(rest.join('\n')).to.contain(
      '"Decaf\u001b[31m without regrets?\nA thread",ugc,true,0,12,0,[],false,\n',
    );
  });

  it('csv has no cell that a spreadsheet reads as a formula, and numbers stay numbers', async () => {
    const [own] = fixtures.sources;
    const texts = ['=1+1', '+1', '-1-1', '@SUM(1)', '\t=1', '\r\n@a', ' =1', '＝1', '-12.5', 'a=1', "'"];
    const cells = ["'=1+1", "'+1", "'-1-1", "'@SUM(1)", "'=1", "'@a", "'=1", "'＝1", '-12.5', 'a=1', "'"];
    const sources = texts.map((domain, at) => ({ ...own!, domain, citations: at - 5 }));
    now.server.serve('sources', { brand: fixtures.brand, sources, ...fixtures.unsliced });
    const lines = (await stdout('sources', '--format', 'csv')).trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.split(',')[0])).to.deep.equal(cells);
    expect(lines.map((line) => line.split(',')[3])).to.deep.equal(cells.map((_, at) => String(at - 5)));
  });

  it('csv has one head over all pages', async () => {
    const lines = (await stdout('sources', '--all', '--format', 'csv')).trimEnd().split('\n');
    expect(lines).to.have.length(fixtures.sources.length + 1);
    expect(lines[0]).to.equal('domain,classification,overridden,citations,brand_present');
  });

  it('csv has only its head without rows', async () => {
    now.server.serve('urls', { brand: fixtures.brand, urls: [], ...fixtures.unsliced });
    expect(await stdout('urls', '--format', 'csv')).to.equal(`${Object.keys(citedUrl.fields).join(',')}\n`);
  });

  it('csv flattens the brand of a scorecard and keeps numbers exact', async () => {
    const [head, row] = (await stdout('overview', '--format', 'csv')).split('\n');
    expect(head).to.match(/^brand\.id,brand\.name,brand\.domain,window_days,/);
    expect(row).to.contain('0.12034632034632,,1.8333333333333333,false,true,');
  });

  it('md is a table that untrusted texts cannot break', async () => {
    const lines = (await stdout('prompts', '--format', 'md')).trimEnd().split('\n');
    expect(lines.splice(0, 4)).to.deep.equal([
      '**Fernweh Coffee · 2026-11-14 to 2026-11-20 UTC, 7 days**',
      '',
      'all engines with web search',
      '',
    ]);
    expect(lines).to.have.length(fixtures.prompts.length + 2);
    expect(lines[0]).to.match(/^\| id \| prompt \| visibility \(0–100\) \| presence \(%\) \|/);
    expect(lines[1]).to.match(/^\| :-- \| :-- \| --: \| --: \|/);
    expect(lines.find((line) => line.includes('decaf'))).to.contain(
      'best decaf espresso \\| 2026 | 0 | 0.0 | — |',
    );
  });
});

describe('a table', () => {
  const now = session();
  const table = (columns: number, ...args: string[]) =>
    svcTable(args, { ...now.env, COLUMNS: String(columns) });
  const widest = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length));

  for (const name of ['brands', 'prompts', 'competitors', 'sources', 'urls', 'answers']) {
    for (const columns of [40, 60, 80, 140]) {
      it(`of ${name} fits ${columns} columns`, async () => {
        const { stdout } = await table(columns, name);
        expect(widest(stdout)).to.be.at.most(columns);
      });
    }
  }

  it('shortens the widest text if there is a width, and nothing otherwise', async () => {
    const { text } = fixtures.prompts[0]!;
    expect((await table(80, 'prompts')).stdout)
      .to.contain('…')
      .and.not.contain(text);
    expect((await svcTable(['prompts'], now.env)).stdout).to.contain(text);
  });

  it('names the columns that it leaves out', async () => {
    expect((await table(80, 'urls')).stderr).to.contain('not shown at this width: page type, engines, title');
  });

  it('prints null as —, never as 0, and explains it once', async () => {
    const { stdout, stderr } = await table(140, 'prompts');
    const row = (part: string) => stdout.split('\n').find((line) => line.includes(part))!;
    expect(row('coffee subscription')).to.match(/gift +— +— +— +0 /);
    expect(row('best decaf')).to.match(/2026 +0 +0\.0 +— +56 /);
    expect(stderr.split('— not measured')).to.have.length(2);
  });

  it('explains only the marks that it contains', async () => {
    expect((await table(140, 'brands')).stderr).to.equal('');
  });

  it('marks values of fewer than five runs, but not missing values', async () => {
    const { stdout, stderr } = await table(140, 'prompts');
    expect(stdout).to.match(/fair trade beans +~33 +~33\.3 +~3\.0 +3 /);
    expect(stdout).to.not.contain('~—');
    expect(stderr).to.contain('~ fewer than 5 answers: low confidence');
  });

  it('aligns numbers right and groups their digits', async () => {
    const { stdout } = await table(140, 'sources', '--limit', '2');
    expect(stdout)
      .to.contain('citations')
      .and.match(/ {4}1,700$/m);
  });

  it('prints no control characters of untrusted texts', async () => {
    const { stdout } = await svcTable(['urls'], now.env);
    expect(stdout).to.contain('Decaf[31m without regrets? A thread').and.not.contain('\u001b');
  });

  it('has neither colours nor links outside of a terminal', async () => {
    const { stdout } = await svcTable(['competitors'], { ...now.env, WT_SESSION: '1' });
    expect(stdout).to.contain('Fernweh Coffee (brand)').and.not.contain('\u001b');
  });
});

describe('the scorecard', () => {
  const now = session();

  it('contains the scales, intervals and verdicts, and states whether visibility moved', async () => {
    const { stdout, stderr } = await svcTable(['overview'], now.env);
    expect(stdout)
      .to.match(/visibility \(0–100\) +62\.4 ± 2\.1 +▲ \+3\.2 points\n/)
      .and.match(/presence \(%\) +71\.3 ± 2\.3 +no clear change\n/)
      .and.match(/share of voice \(%\) +34\.5 ± 1\.5 +▼ −2\.6 pp\n/);
    expect(stdout)
      .to.match(/sentiment \(0–100\) +—\n/)
      .and.contain('Visibility moved up by 3.2 points against the 7 days before: from 59.2 to 62.4.');
    expect(stderr)
      .to.contain('— not measured')
      .and.contain(': 95 % interval')
      .and.contain('▲ ▼ moved: up or down by more than chance')
      .and.contain('no clear change: the difference');
  });

  it('marks low confidence and prints the note', async () => {
    now.server.serve('overview', fixtures.thinOverview);
    const { stdout, stderr } = await svcTable(['overview'], now.env);
    expect(stdout)
      .to.match(/visibility \(0–100\) +~62\.4\n/)
      .and.match(/answers +3\n/);
    expect(stdout).to.contain('The 7 days before have no answers');
    expect(stderr).to.contain(fixtures.thinOverview.note);
  });

  it('is the API’s payload byte for byte under --json', async () => {
    const { stdout, stderr } = await svc(['overview', '--json'], now.env);
    expect(stdout).to.equal(`${now.server.body('/api/v1/overview')}\n`);
    expect(stderr).to.equal('');
  });
});

/** The reads that are objects around rows: arguments, resource, main rows. */
const reads = [
  ['history --metric visibility', 'metrics/history', history.series.flatMap(({ points }) => points)],
  ['sentiment', 'sentiment', reports.sentiment.quotes],
  ['ads', 'ads', reports.ads.ads],
  ['shopping', 'shopping', reports.shopping.products],
  ['shopping-trend', 'shopping-trend', reports.shoppingTrend.trend],
  ['fact-check', 'fact-check', reports.factCheck.fact_check!.discrepancies],
  ['crawlers', 'crawlers', reports.crawlers.agents],
] as const;

/** The same for payloads of tools. */
const toolReads = [
  ['fanouts', 'list_fanouts', tools.fanouts.fanouts],
  ['youtube', 'list_youtube_citations', tools.youtube.videos],
  ['offsite', 'list_offsite_mentions', tools.offsite.mentions],
  ['tracked-pages', 'list_tracked_pages', tools.trackedPages.pages],
  ['site-health', 'get_site_health', tools.siteHealth.slowest],
  ['visitors', 'get_visitor_stats', tools.visitors.top_pages],
  ['threads', 'list_community_threads', tools.threads.threads],
  ['coverage', 'get_content_coverage', tools.coverage.prompts],
  ['fact-check --run', 'run_fact_check', tools.factCheckRun.fact_check.discrepancies],
] as const;

describe('a read with one object around rows', () => {
  const now = session();
  const widest = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length));

  const all = [
    ...reads.map(([line, name, rows]) => ({ line, rows, body: () => now.server.body(`/api/v1/${name}`) })),
    ...toolReads.map(([line, name, rows]) => ({ line, rows, body: () => now.server.tools.text(name) })),
  ];

  it('exists for every tool without a REST path', () => {
    const twins = Object.values(resources).map(({ tool }) => tool);
    const rest = toolNames.filter((name) => !(twins as string[]).includes(name) && name !== tagGroups.tool);
    expect(toolReads.map(([, name]) => name)).to.have.members(rest);
  });

  for (const { line, rows, body } of all) {
    const args = line.split(' ');

    it(`is the API’s payload byte for byte under --json: ${line}`, async () => {
      const { stdout, stderr } = await svc([...args, '--json'], now.env);
      expect(stdout).to.equal(`${body()}\n`);
      expect(stderr).to.equal('');
      expect(now.server.requests).to.have.length(1);
    });

    it(`prints its exact rows as ndjson and csv: ${line}`, async () => {
      const ndjson = (await svc([...args, '--format', 'ndjson'], now.env)).stdout.trimEnd().split('\n');
      const printed = ndjson.map((text) => JSON.parse(text));
      for (const [at, row] of rows.entries()) expect(printed[at]).to.deep.include(row);
      expect(printed).to.have.length(rows.length);
      const csv = (await svc([...args, '--format', 'csv'], now.env)).stdout.split('\n');
      for (const field of Object.keys(rows[0]!)) expect(csv[0]).to.contain(field);
      expect(csv).to.have.length(rows.length + 2);
    });

    it(`prints its rows as a Markdown table: ${line}`, async () => {
      const lines = (await svc([...args, '--format', 'md'], now.env)).stdout.trimEnd().split('\n');
      expect(lines).to.have.length(rows.length + 2);
      for (const text of lines) expect(text).to.match(/^\| .* \|$/);
    });

    for (const columns of [40, 80, 140]) {
      it(`fits ${columns} columns: ${line}`, async () => {
        const { stdout, code } = await svcTable(args, { ...now.env, COLUMNS: String(columns) });
        expect(code).to.equal(0);
        expect(stdout)
          .to.match(/Fernweh\s+Coffee/)
          .and.not.contain('\u001b');
        expect(widest(stdout)).to.be.at.most(columns);
      });
    }

    it(`exits with the code of the refusal: ${line}`, async () => {
      const refusals = [
        [{ status: 400, message: 'Unknown engine: foo.' }, 2, 'usage'],
        [errors.planTooLow('Crawler analytics', 'growth', 'starter'), 4, 'not_allowed'],
        [errors.unknownBrand(), 5, 'not_found'],
      ] as const;
      for (const [refusal, exit, kind] of refusals) {
        now.server.refuse(refusal, 'full');
        const { stdout, code } = await svc([...args, '--json'], now.env);
        expect(code).to.equal(exit);
        expect(JSON.parse(stdout).error).to.include({ code: kind, message: refusal.message });
        expect((await svc(args, now.env)).stderr).to.contain(refusal.message);
      }
    });
  }

  it('prints the payload’s note on standard error, except in json and under --quiet', async () => {
    const { note } = reports.sentiment;
    for (const format of ['table', 'csv', 'ndjson', 'md']) {
      expect((await svc(['sentiment', '--format', format], now.env)).stderr).to.contain(note);
    }
    expect((await svc(['sentiment', '--quiet'], now.env)).stderr).to.equal('');
  });
});
