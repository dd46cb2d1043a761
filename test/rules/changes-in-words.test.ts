/** A change of a metric is written alike wherever people read it: sign, amount and unit; and exactly for programs. */
import { expect } from 'chai';
import type { Overview } from '../../src/contract/reads/overview.js';
import { addDays } from '../../src/server/base/days.js';
import { Home, svc } from '../cli/support/run.js';
import { market, NOW, runOf } from '../server/intake/dataset/support/load.js';
import { signIn, type Visitor } from '../server/web/page/support/visitor.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../support/server.js';

const TODAY = '2026-11-20';

/** Of the ten answers of each day, newest first. */
const ACME = [8, 7, 8, 9, 8, 7, 8, 0, 0, 0, 0, 0, 0, 0];
const GLOBEX = [1, 2, 1, 2, 1, 2, 1, 8, 9, 8, 7, 8, 9, 8];

/** The brand is named from nothing on, its rival falls, and the brand's own pages are cited less. */
const runs = ACME.flatMap((own, ago) =>
  Array.from({ length: 10 }, (_, at) => {
    const mentions = [...(at < own ? ['Acme'] : []), ...(at < GLOBEX[ago]! ? ['Globex'] : [])];
    return runOf(`${ago}-${at}`, {
      collected_at: `${addDays(TODAY, -ago)}T08:00:00Z`,
      mentions: mentions.map((name, place) => ({ name, order: place + 1 })),
      citations: [{ url: `https://${at < (ago < 7 ? 1 : 5) ? 'acme.com' : 'else.example'}/` }],
    });
  }),
);

/** What stands at an arrow, to the end of its cell. */
const moves = (text: string): string[] =>
  [...text.matchAll(/[▲▼] ?([^|\n<]*?)(?= {2,}| \||\n|<|$)/g)]
    .map(([, amount]) => amount!)
    .filter((amount) => !amount.startsWith('▼'));
const MOVE = /^[+−]\d+\.\d (points|pp)$/;
/** A minus sign of programs before a number; dates and names of domains have letters or digits before. */
const ASCII_MINUS = /(?<![\w–-])-\d/;

describe('rule: a change is written alike on every face', () => {
  let server: TestServer;
  let visitor: Visitor;
  const home = new Home();
  before(async () => {
    server = await testServer({ now: NOW });
    // A workspace with one brand has no list of brands.
    const other = { type: 'brand', id: 'z', workspace: 'w', name: 'Zeta', domain: 'zeta.example' };
    await server.load([...market, other, ...runs]);
    visitor = await signIn(server, OPERATOR_KEY);
  });
  after(async () => {
    home.remove();
    await server.close();
  });
  beforeEach(() => {
    // Full rate buckets.
    server.now = new Date(server.now.getTime() + 60_000);
  });
  const run = (args: readonly string[], columns = '140') =>
    svc(
      args,
      { ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY, COLUMNS: columns },
      undefined,
      () => NOW,
    );
  const table = (...args: string[]) => run([...args, '--format', 'table']);
  const overview = () => server.read<Overview>('/api/v1/overview');

  /** The amounts of the brand, as they are written. */
  async function amounts() {
    const { change } = await overview();
    expect(change.visibility).to.include({ previous: 0, delta: null, verdict: 'up' });
    expect(change.citation_share.verdict).to.equal('down');
    return {
      visibility: `+${change.visibility.difference!.toFixed(1)} points`,
      presence: `+${(100 * change.presence_rate.difference!).toFixed(1)} pp`,
      voice: `+${(100 * change.share_of_voice_fraction.difference!).toFixed(1)} pp`,
      citations: `−${(-100 * change.citation_share.difference!).toFixed(1)} pp`,
    };
  }

  for (const [face, args, least] of [
    ['overview', ['overview', '--format', 'table'], 4],
    ['overview as Markdown', ['overview', '--format', 'md'], 4],
    ['competitors', ['competitors', '--format', 'table'], 2],
    ['history', ['history', '--days', '7', '--competitors', '--format', 'table'], 2],
    ['history of a share', ['history', 'citations', '--days', '7', '--format', 'table'], 1],
    ['diff', ['diff', '--format', 'table'], 3],
    ['diff as Markdown', ['diff', '--format', 'md'], 3],
    ['report as Markdown', ['report', '--md'], 3],
    ['report as HTML', ['report', '--html'], 3],
  ] as const) {
    it(`${face}: every arrow has an amount with its unit`, async () => {
      const { stdout, code } = await run(args);
      expect(code).to.equal(0);
      const found = moves(stdout);
      expect(found.length, stdout).to.be.at.least(least);
      for (const each of found) expect(each).to.match(MOVE);
      expect(stdout).to.not.match(ASCII_MINUS);
    });
  }

  it('the amounts of overview, diff, report and page are those of the API', async () => {
    const { visibility, presence, voice, citations } = await amounts();
    const all = [visibility, presence, voice, citations];
    expect(moves((await table('overview')).stdout)).to.have.members(all);
    expect(moves((await table('diff')).stdout)).to.have.members(all);
    expect(moves((await run(['report', '--md'])).stdout)).to.have.members(all);
    const page = await visitor.html('/brands/b?days=7&metric=citation_share');
    for (const each of all) expect(page).to.contain(`</span>${each}</span>`);
  });

  it('every page has the unit of each change, also of one that may be chance', async () => {
    let moved = 0;
    for (const path of ['', '/prompts', '/competitors', '/prompts/p', '/competitors/c']) {
      const page = await visitor.html(`/brands/b${path}?days=7`);
      for (const [, mark] of page.matchAll(/class="verdict (?:up|down)[^>]*>(.*?<\/span>[^<]*)<\/span>/gs)) {
        moved++;
        expect(mark!.replace(/<[^>]*>/g, '')).to.match(/^(up|down) [+−]\d+\.\d (points|pp)$/);
      }
      for (const [, mark] of page.matchAll(/<span class="chance">([+−±][^<]*)</g))
        expect(mark).to.match(/^[+−±]\d+\.\d (points|pp), /);
    }
    expect(moved).to.be.above(4);
  });

  it('sentences and the message of --fail-if-down have the amount too', async () => {
    const { visibility, citations } = await amounts();
    const { stdout } = await table('overview');
    expect(stdout).to.contain(
      `Visibility moved up by ${visibility.slice(1)} against the 7 days before: from 0.0 to `,
    );
    const failed = await run(['diff', '--fail-if-down', 'citations', '--format', 'table'], '200');
    expect(failed.code).to.equal(9);
    expect(failed.stderr).to.contain(`Citation share moved down by ${citations.slice(1)} against`);
    expect(failed.stderr).to.contain('from 50.0 % to 10.0 %');
  });

  it('delta and difference that are asked for by name have their unit in tables', async () => {
    const fields = ['visibility.difference', 'citation_share.delta', 'citation_share.difference'];
    const args = ['overview', '--fields', fields.map((field) => `change.${field}`).join(',')];
    const { visibility, citations } = await amounts();
    const lines = (await run([...args, '--format', 'table'])).stdout.split('\n');
    const lineOf = (field: string) => lines.find((line) => line.startsWith(`change.${field} `))!;
    expect(lineOf('visibility.difference'))
      .to.match(/ \+\d+\.\d points$/)
      .and.contain(visibility);
    expect(lineOf('citation_share.delta')).to.contain(citations);
    expect(lineOf('citation_share.difference')).to.contain(citations);
    const competitors = await table('competitors', '--fields', 'name,change.visibility.delta');
    expect(competitors.stdout).to.match(/Globex +−\d+\.\d %\n/);
  });

  it('programs get the exact number with a hyphen', async () => {
    const field = 'change.citation_share.difference';
    for (const format of ['tsv', 'csv', 'json', 'ndjson']) {
      const { stdout } = await run([
        'overview',
        ...(format === 'json' ? [] : ['--fields', field]),
        '--format',
        format,
      ]);
      expect(stdout, format).to.contain('-0.4').and.not.contain('−');
    }
    const body = await (
      await server.request('/api/v1/competitors', OPERATOR_KEY, { headers: { Accept: 'text/csv' } })
    ).text();
    expect(body).to.match(/,-\d/).and.not.contain('−');
  });

  it('a broken limit on a change has the number of the API and the change', async () => {
    const { stderr, code } = await run(
      ['overview', '--fail-below', 'change.citation_share.delta=-0.1', '--format', 'table'],
      '200',
    );
    expect(code).to.equal(9);
    expect(stderr).to.contain('change.citation_share.delta is −0.4 (−40.0 pp), below −0.1 (--fail-below).');
    const points = await run(
      ['overview', '--fail-above', 'change.visibility.difference=1', '--quiet'],
      '200',
    );
    expect(points.stderr).to.contain(
      `change.visibility.difference is ${(await amounts()).visibility}, above 1 (--fail-above).`,
    );
    const typed = await run(
      ['overview', '--fail-below', 'change.citation_share.delta=−0.1', '--quiet'],
      '200',
    );
    expect(typed.code).to.equal(9);
  });
});
