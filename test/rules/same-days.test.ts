/**
 * Faces that show several reads side by side ask for the same days, so that every number next to another is of one window: the
 * page, the weekly report, the diff, one prompt, absent prompts. Checked for brands collected until today, until yesterday,
 * and until twenty days ago.
 */
import { expect } from 'chai';
import { longDay, span } from '../../src/contract/day-words.js';
import { addDays } from '../../src/server/base/days.js';
import { Home, svc } from '../cli/support/run.js';
import { NOW } from '../server/intake/dataset/support/load.js';
import { dataOf } from '../server/web/page/support/data-elements.js';
import { signIn, type Visitor } from '../server/web/page/support/visitor.js';
import { OPERATOR_KEY, type TestServer, testServer } from '../support/server.js';

const TODAY = '2026-11-20';
const WEEK = { start: '2026-11-14', end: TODAY };
const MONTH = { start: '2026-10-24', end: TODAY };
const ENGINES = ['chatgpt', 'gemini', 'perplexity'];
const TONES = ['positive', 'neutral', 'negative'];

/** Each brand with its newest collected day. */
const brands: readonly [id: string, newest: string][] = [
  ['until-today', TODAY],
  ['until-yesterday', addDays(TODAY, -1)],
  ['stalled', addDays(TODAY, -20)],
];

/** The newest day of a brand without answers in the last weeks. */
const ENDED = addDays(TODAY, -40);

/** Answers of fifty days whose metrics differ from day to day. */
function* market(id: string, newest: string): Generator<object> {
  const brand = { type: 'brand', id, workspace: 'w', name: 'Acme', domain: 'acme.example' };
  yield { ...brand, created_at: '2026-01-01T00:00:00Z' };
  yield { type: 'competitor', id: 'c', brand: id, name: 'Globex', domain: 'globex.example' };
  for (const prompt of ['p', 'q']) yield { type: 'prompt', id: prompt, brand: id, text: `${prompt}?` };
  let at = 0;
  for (let day = addDays(newest, -49); day <= newest; day = addDays(day, 1))
    for (const engine of ENGINES)
      for (const prompt of ['p', 'p', 'q']) yield run(id, at++, { day, engine, prompt });
}

function run(brand: string, at: number, { day, engine, prompt }: Record<string, string>): object {
  const names =
    prompt === 'q' || at % 5 === 0 ? ['Globex'] : at % 3 === 0 ? ['Acme', 'Globex'] : ['Globex', 'Acme'];
  return {
    type: 'run',
    id: `r${at}`,
    brand,
    prompt,
    engine,
    region: 'us',
    collected_at: `${day}T08:00:00Z`,
    fanouts: [`search ${at % 4}`],
    mentions: names.map((name, place) => ({
      name,
      order: place + 1,
      sentiment: TONES[((at + place) % 7) % 3],
      evidence: `${name} ${at}`,
    })),
    citations: [{ url: `https://${at % 2 ? 'acme' : 'globex'}.example/${at % 6}` }],
  };
}

/** The days that the address of a read asks for. */
function daysIn(source: string): { start: string | null; end: string | null } {
  const query = new URLSearchParams(source.split('?')[1]);
  return { start: query.get('from'), end: query.get('to') };
}

describe('rule: numbers side by side are of the same days', () => {
  const home = new Home();
  let server: TestServer;
  let visitor: Visitor;
  before(async () => {
    server = await testServer({ now: NOW });
    await server.load([
      { type: 'workspace', id: 'w', name: 'W', plan: 'growth' },
      ...[...brands, ['ended', ENDED] as const].flatMap(([id, newest]) => [...market(id, newest)]),
    ]);
    visitor = await signIn(server, OPERATOR_KEY);
  });
  after(async () => {
    home.remove();
    await server.close();
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });

  const command = async (...args: string[]): Promise<string> => {
    const { stdout, stderr, code } = await svc(
      args,
      { ...home.env, SVC_URL: server.url, SVC_API_KEY: OPERATOR_KEY },
      undefined,
      () => NOW,
    );
    expect(code, `${args.join(' ')}: ${stderr}`).to.equal(0);
    return stdout;
  };
  const json = async (...args: string[]) => JSON.parse(await command(...args, '--json'));

  it('svc history of a brand that is collected no more shows its last days, unless days are asked for', async () => {
    const windowOf = async (...args: string[]) => (await json('history', '--brand', 'ended', ...args)).window;
    expect((await windowOf()).end).to.equal(ENDED);
    expect(await windowOf('--days', '7')).to.deep.equal({ ...WEEK, days: 7 });
    for (const [brand] of brands) expect((await json('history', '--brand', brand)).window).to.include(MONTH);
  });

  for (const [brand, newest] of brands) {
    const isStalled = brand === 'stalled';

    for (const [query, window, words] of [
      ['?days=7', WEEK, '14 Nov – 20 Nov 2026'],
      ['', MONTH, '24 Oct – 20 Nov 2026'],
      ['?days=7&engine=gemini', WEEK, '14 Nov – 20 Nov 2026'],
      ['?from=2026-11-03&to=2026-11-12', { start: '2026-11-03', end: '2026-11-12' }, '3 Nov – 12 Nov 2026'],
    ] as const) {
      it(`${brand}: every block of the page ${query} has its days, in words and in numbers`, async () => {
        for (const path of [`/brands/${brand}`, `/brands/${brand}/prompts/p`]) {
          const html = await visitor.html(path + query);
          const data = dataOf(html);
          for (const { field, source } of data.filter((each) => !each.field.startsWith('fact-check'))) {
            const days = daysIn(source!);
            // The line is of both windows, and its numbers are of the days of this one.
            const [, point] = /\.points\.(\d+)\./.exec(field) ?? [];
            const own =
              point && addDays(days.start!, Number(point)) >= window.start ? window.start : days.start;
            expect({ ...days, start: own }, `${path} ${field} of ${source}`).to.deep.equal(window);
          }
          expect(html.replace(/<[^>]*>/g, ' '), path).to.contain(words);
          // Not those of each engine, which the summary and the block of the engines have.
          const engineOf = (address: string) => new URLSearchParams(address.split('?')[1]).get('engine');
          const ofAll = data.filter(({ source }) => engineOf(source!) === engineOf(query));
          const shown = new Map(ofAll.toReversed().map(({ field, value }) => [field, value]));
          for (const other of [`history.${brand}.window_value`, `competitors.${brand}.visibility`])
            if (shown.has(other)) expect(shown.get(other), other).to.equal(shown.get('overview.visibility'));
        }
      });
    }

    it(`${brand}: page, summary, report and the list of brands open on the same days`, async () => {
      const summary = await json('summary', '--brand', brand);
      const report = await json('report', '--brand', brand);
      expect(summary.window).to.include(MONTH);
      expect(report.overview.window).to.deep.equal(summary.window);
      expect(report.sentence).to.equal(summary.sentence);
      expect(report.needs).to.deep.equal(summary.needs);
      const known = summary.needs.map(({ kind }: { kind: string }) => kind);
      expect(known.includes('collection_stalled')).to.equal(isStalled);
      for (const hint of (await command('summary', '--brand', brand)).match(/^ {2}svc .*$/gm) ?? [])
        if (/ --(days|from)/.test(hint)) expect(hint).to.match(/ --days 28$/);
      const opened = dataOf(await visitor.html(`/brands/${brand}`)).find(
        ({ field }) => field === 'overview.presence_rate',
      );
      expect(daysIn(opened!.source!)).to.deep.equal(MONTH);
      const { brands: all } = await server.read<{
        brands: { id: string; summary: { window: object } }[];
      }>('/api/v1/brands?include=summary');
      expect(all.find(({ id }) => id === brand)!.summary.window).to.include(MONTH);
    });

    it(`${brand}: overview, report and diff show the same numbers of the same days`, async () => {
      const overview = await json('overview', '--brand', brand);
      const diff = await json('diff', '--brand', brand);
      const report = await json('report', '--days', '7', '--brand', brand);
      expect(overview.window).to.include(WEEK);
      expect(diff.window).to.deep.equal(overview.window);
      expect(diff.measured).to.deep.equal(overview.measured);
      const { overview: scorecard, histories, sentiment, crawlers, losing, competitors } = report;
      for (const read of [scorecard, sentiment, crawlers, losing, ...histories]) {
        expect(read.window).to.deep.equal(overview.window);
        if ('measured' in read) expect(read.measured).to.deep.equal(overview.measured);
      }
      expect(sentiment.run_count).to.equal(overview.run_count);
      const own = competitors.find(({ is_brand }: { is_brand: boolean }) => is_brand);
      for (const { metric, value, previous } of diff.metrics) {
        const rounded = (number: number | null) =>
          number === null ? null : Math.round(number * 1000) / 1000;
        const measured = overview.run_count === 0 ? null : rounded(overview[metric]);
        expect(value, metric).to.equal(measured);
        expect(rounded(scorecard[metric]), metric).to.equal(measured);
        if (metric in own) expect(rounded(own[metric]), metric).to.equal(measured);
        const { series } = histories.find((each: { metric: string }) => each.metric === metric);
        expect(series[0].window_value, metric).to.equal(measured);
        if (measured !== null) expect(previous, metric).to.equal(rounded(overview.change[metric].previous));
      }
      const text = await command('report', '--days', '7', '--brand', brand);
      const since = `no answers since ${longDay(newest)}`;
      expect(text).to.contain(`${span(WEEK.start, WEEK.end)} (UTC), 7 days`);
      expect(text.includes(since)).to.equal(isStalled);
    });

    it(`${brand}: history and sentiment of seven days have the numbers of the overview`, async () => {
      const overview = await json('overview', '--brand', brand);
      const history = await json('history', '--days', '7', '--brand', brand);
      const sentiment = await json('sentiment', '--brand', brand);
      expect(history.window).to.deep.equal(overview.window);
      expect(sentiment.window).to.deep.equal(overview.window);
      expect(sentiment.run_count).to.equal(overview.run_count);
      const measured = overview.run_count === 0 ? null : overview.visibility;
      expect(history.series[0].window_value).to.equal(measured);
    });

    it(`${brand}: svc prompt and svc losing are of the days that end today`, async () => {
      const losing = await json('losing', '--pages', '--brand', brand);
      expect(losing.window).to.include(WEEK);
      const prompt = await json('prompt', 'p', '--brand', brand);
      expect(prompt.window).to.include(WEEK);
      expect(prompt.answers).to.equal(prompt.prompt.run_count);
      expect(prompt.answers > 0).to.equal(!isStalled);
    });

    it(`${brand}: the page says since when there are no answers, and leads to the days that have some`, async () => {
      const html = await visitor.html(`/brands/${brand}?days=7`);
      expect(html.includes('no answers since')).to.equal(isStalled);
      if (!isStalled) return;
      expect(html).to.contain('All numbers here are of 14 Nov – 20 Nov 2026.');
      const [, link] = /<a href="([^"]*)">Show the days to 31 Oct(?:ober)? 2026</.exec(html)!;
      const shown = await visitor.html(
        new URL(link!.replaceAll('&amp;', '&'), `${server.url}/brands/${brand}`).href.slice(
          server.url.length,
        ),
      );
      expect(shown).to.contain('25 Oct – 31 Oct 2026');
      const visibility = dataOf(shown).find(({ field }) => field === 'overview.visibility')!;
      expect(Number(visibility.value)).to.be.above(0);
    });
  }
});
