import { expect } from 'chai';
import { errors } from '../../../src/contract/errors.js';
import { tagGroups } from '../../../src/contract/reads/tag-groups.js';
import { resources } from '../../../src/contract/registry.js';
import { toolNames } from '../../../src/contract/tools.js';
import { history } from '../support/history-fixtures.js';
import * as fixtures from '../support/report-fixtures.js';
import { svc, svcTable } from '../support/run.js';
import { session } from '../support/session.js';
import * as tools from '../support/tool-fixtures.js';

/** The reads that are objects around rows: arguments, resource, main rows. */
const reads = [
  ['history --metric visibility', 'metrics/history', history.series.flatMap(({ points }) => points)],
  ['sentiment', 'sentiment', fixtures.sentiment.quotes],
  ['ads', 'ads', fixtures.ads.ads],
  ['shopping', 'shopping', fixtures.shopping.products],
  ['shopping-trend', 'shopping-trend', fixtures.shoppingTrend.trend],
  ['fact-check', 'fact-check', fixtures.factCheck.fact_check!.discrepancies],
  ['crawlers', 'crawlers', fixtures.crawlers.agents],
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
    const { note } = fixtures.sentiment;
    for (const format of ['table', 'csv', 'ndjson', 'md']) {
      expect((await svc(['sentiment', '--format', format], now.env)).stderr).to.contain(note);
    }
    expect((await svc(['sentiment', '--quiet'], now.env)).stderr).to.equal('');
  });
});
