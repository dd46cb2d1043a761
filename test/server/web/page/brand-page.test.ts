import { expect } from 'chai';
import type { Briefing } from '../../../../src/contract/reads/briefing.js';
import type { Moves } from '../../../../src/contract/reads/moves.js';
import { planCollections } from '../../../../src/server/answers/collections.js';
import { tellAllMoves } from '../../../../src/server/run/nightly.js';
import { fresh, shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { runsFrom, runsOn } from '../../alerts/moves/support/runs.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { signIn, type Visitor } from './support/visitor.js';

describe('the page of a brand', () => {
  let visitor: Visitor;
  const server = shared(marketServer);
  before(async () => {
    await server.collect(
      runOf('r1', at('2026-11-20')),
      runOf('r2', { engine: 'gemini', ...at('2026-11-16') }),
      runOf('r3', { engine: 'llama', ...at('2026-11-18') }),
    );
    visitor = await signIn(server, OPERATOR_KEY);
  });

  const NO_ANSWERS = '?from=2026-11-06&to=2026-11-12';

  it('names its chart, and no read, for the values of days that have only daily statistics', async () => {
    const stat = { brand: 'b', entity: 'b', engine: 'chatgpt', run_count: 4, visibility: 40 };
    await server.collect({ type: 'daily_stat', date: '2026-05-04', ...stat });
    const page = await visitor.html('/brands/b?from=2026-05-01&to=2026-05-31&metric=visibility');
    expect(page).to.contain('only daily statistics: the chart by day has their values.');
    expect(page.split('id="line"')[1]!).to.match(/class="line own">.*<circle/s);
    expect(page.replaceAll(/<[^>]*>/g, ' ')).to.not.contain('metrics/history');
    const sources = await visitor.html('/brands/b/sources?from=2026-05-01&to=2026-05-31');
    expect(sources).to.not.match(/No answer cited/);
  });

  it('has notes in words, without fields, requests and terms of the API', async () => {
    const term =
      /\bnull\b|\bPOST\b|\/api\/|[a-z]_[a-z]|\bslice\b|\bscope\b|horizon|No trend|\d{4}-\d\d|<bdi><\/bdi>/;
    for (const query of ['', '?engine=grok', NO_ANSWERS, `${NO_ANSWERS}&engine=grok`]) {
      const html = await visitor.html(`/brands/b${query}`);
      for (const [, note] of html.matchAll(/<p class="(?:note|empty)">(.*?)<\/p>/gs))
        expect(note, query).to.not.match(term);
    }
  });

  it('counts one thing as one', async () => {
    const text = (await visitor.html('/brands/b?engine=gemini')).replaceAll(/<[^>]*>/g, '');
    expect(text.replaceAll(/\s+/g, ' '))
      .to.contain('of 1 answer')
      .and.not.match(/\b1 (?:answers|mentions|prompts|requests|pages)\b/);
  });

  it('leads from names and quotes to their pages, with the window kept', async () => {
    await server.collect(
      runOf('r5', {
        ...at('2026-11-19'),
        mentions: [
          { name: 'Acme', order: 1, sentiment: 'negative', evidence: 'Acme is slow.' },
          { name: 'Globex', order: 2 },
        ],
        citations: [{ url: 'https://site.example/page' }],
      }),
    );
    const html = await visitor.html('/brands/b?days=7');
    for (const path of ['/competitors/c?days=7', '?days=7&amp;engine=gemini'])
      expect(html).to.contain(`href="../brands/b${path}"`);
    expect(await visitor.html('/brands/b/sources?days=7')).to.contain(
      '/brands/b/sources/site.example?days=7"',
    );
    expect(await visitor.html('/brands/b/answers?days=7')).to.contain('/brands/b/answers/r5?days=7"');
  });

  it('has at most four needs, each with what to do and a link; a page has all', async () => {
    const cards = (html: string) =>
      html.split('id="actions"')[1]!.split('</section>')[0]!.split('<li').slice(1);
    const { needs } = await server.body<Briefing>('briefing', '&days=7');
    const some = cards(await visitor.html('/brands/b?days=7'));
    expect(some.length).to.be.within(1, 4);
    for (const each of some) {
      expect(each).to.match(/<h3>\w{3}/);
      expect(each).to.match(/<a href="\.\.\/brands\/b[/?]/);
      expect(each).to.not.match(/<code|svc /);
    }
    expect(cards(await visitor.html('/brands/b/needs?days=7'))).to.have.length(needs.length);
  });

  it('states at every change of a tile its amount or the value before', async () => {
    const days = Array.from({ length: 14 }, (_, day) => `2026-10-${String(day + 10)}`);
    await server.collect(...days.map((day, place) => runOf(`c${place}`, at(day))));
    const html = await visitor.html('/brands/b?from=2026-10-17&to=2026-10-23');
    const tiles = html
      .split('id="scorecard"')[1]!
      .split('</dl>')[0]!
      .replaceAll(/<[^>]*>/g, '');
    const changes = tiles.match(/[+−±][\d.]+ from [\d.]+|[\d.]+(?: %)? before, (?:may be chance|the same)/g);
    expect(changes, tiles).to.have.length.within(2, 4);
  });

  it('a brand without answers shows the steps to its first numbers, in words for people', async () => {
    const workspace = { type: 'brand', id: 'empty', name: 'Empty', domain: 'empty.example' };
    await server.collect({ ...workspace, workspace: 'w', created_at: '2026-01-01T00:00:00Z' });
    const html = await visitor.html('/brands/empty');
    const steps = html.split('class="steps"')[1]!.split('</ol>')[0]!;
    for (const words of ['Prompts: ask', 'Answers: ask', 'Crawlers: ask', 'Facts: ask', 'after 11 days'])
      expect(steps).to.contain(words);
    expect(steps).to.not.match(/svc |<code|Done/);
  });
});

describe('the line of moves on the page of a brand', () => {
  let visitor: Visitor;
  const server = fresh(marketServer);
  beforeEach(async () => {
    visitor = await signIn(server, OPERATOR_KEY);
  });

  const FALL = { before: 12, after: 4, from: '2026-11-13' };
  /** The lines of what needs the reader. */
  const lines = async (query = '') => {
    const html = await visitor.html(`/brands/b${query}`);
    const block = html.split('<section ').find((each) => each.includes('id="actions"')) ?? '';
    const { needs } = await server.body<Briefing>('briefing', query.replace('?', '&'));
    return [...block.matchAll(/<li><h3>.*?<\/h3>\s*<p>(.*?)<\/p>\s*<p><a href="([^"]*)">/gs)]
      .map(([, words = '', href = '']) => ({ href, words: words.replaceAll(/<[^>]*>/g, '').trim() }))
      .filter((_, at) => needs[at]!.kind === 'bad_news');
  };

  it('names the headline of the newest night, and leads to its days', async () => {
    const days = ['2026-10-20', '2026-11-19'] as const;
    await server.collect(...runsFrom(...days, FALL), ...runsFrom(...days, FALL, { engine: 'gemini' }));
    const fallen = (await server.body<Moves>('moves')).moves.filter(
      ({ direction, entity }) => direction === 'down' && entity === null,
    );
    expect(fallen.some(({ role }) => role === 'folded')).to.equal(true);
    const [first] = fallen.filter(({ role }) => role !== 'folded');
    expect(first).to.include({ role: 'headline', metric: 'presence_rate', engine: null });
    const [line, ...more] = await lines();
    expect(more).to.deep.equal([]);
    expect(line!.words).to.equal(`${first!.text.replace(/\.$/, '')}.`);
    const { from, to } = first!.why!;
    expect(line!.href).to.include(`/brands/b?from=${from}&amp;to=${to}`).and.contain('metric=presence_rate');
    expect(await lines('?engine=chatgpt')).to.deep.equal([]);
  });

  it('names a day without a collection, and what to do about it', async () => {
    const calm = { ...FALL, after: 12 };
    await server.collect(...runsFrom('2026-10-20', '2026-11-17', calm), ...runsOn('2026-11-19', 12));
    await server.collect(...runsOn('2026-11-20', 12));
    const [told] = await lines();
    expect(told!.words).to.equal('No answer of 18 Nov 2026 was collected; about 20 are usual on a day.');
    // Then the server that was to collect it is up again.
    await planCollections(server.database.knex, 1, {
      ...{ next: null, missed: ['2026-11-18'], now: server.now },
    });
    await tellAllMoves(server.database.knex, null, server.now);
    server.pass();
    const [line] = await lines();
    expect(line).to.deep.equal({
      href: '../brands/b/moves',
      words: 'The collection of 18 Nov 2026 did not happen.',
    });
  });
});

describe('what the page of a brand says of days and choices with few answers', () => {
  let visitor: Visitor;
  const rival = (id: string, name: string) => ({ type: 'competitor', id, brand: 'b', name });
  const NAMES = ['Globex', 'Hooli', 'Initech', 'Umbrella', 'Vandelay', 'Wayne'];
  /** So many rivals are named as the answer is old: the first most of all, the brand never. */
  const named = (count: number) => NAMES.slice(0, count).map((name, at) => ({ name, order: at + 1 }));
  const server = shared(marketServer);
  before(async () => {
    const stat = (entity: string, visibility: number) => ({
      ...{ type: 'daily_stat', brand: 'b', date: '2026-05-04', engine: 'chatgpt', run_count: 4 },
      ...{ entity, visibility },
    });
    const strengths = Object.entries({ b: 40, c: 1, d: 2, e: 30, f: 50, g: 20, h: 10 });
    await server.collect(
      ...['d', 'e', 'f', 'g', 'h'].map((id, at) => rival(id, NAMES[at + 1]!)),
      ...strengths.map(([id, visibility]) => stat(id, visibility)),
      ...[1, 2, 3, 4, 5].map((count) => runOf(`r${count}`, { mentions: named(count) })),
      { ...runOf('q1', { prompt: 'q', engine: 'gemini', mentions: [{ name: 'Acme', order: 1 }] }) },
    );
    visitor = await signIn(server, OPERATOR_KEY);
  });

  const block = async (query: string, id: string) => {
    const html = (await visitor.html(`/brands/b${query}`)).split('<section class="card');
    const found = html.find((each) => each.includes(`id="${id}"`))!.split('</section>')[0]!;
    return found
      .replaceAll(/<\/?time[^>]*>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  };
  const OLD = '?from=2026-05-01&to=2026-05-31';

  it('says that only daily statistics are stored, and draws the strongest rivals of them', async () => {
    expect(await block(OLD, 'summary')).to.contain(
      'No answer is stored from 1 May 2026 to 31 May 2026, only daily statistics: whether Acme is named is not known.',
    );
    const chart = (await visitor.html(`/brands/b${OLD}&metric=visibility`))
      .split('id="line"')[1]!
      .split('</svg>')[0]!;
    const names = [...chart.matchAll(/class="name"[^>]*>(\w+)/g)].map(([, name]) => name);
    expect(names).to.deep.equal(['Umbrella', 'Initech', 'Vandelay']);
  });

  it('does not say that nothing was collected where only the choice has no answer', async () => {
    for (const [query, words] of [
      ['&engine=gemini&prompt=p,q&surface=ui', 'These prompts are not asked on Gemini'],
      ['&engine=grok', 'Answers were collected from 14 Nov 2026 to 20 Nov 2026, but none of this choice'],
    ] as const) {
      const says = await block(`?days=7${query}`, 'summary');
      expect(says, query).to.contain(words).and.not.contain('No answer was collected');
    }
    expect(await block('?from=2026-03-01&to=2026-03-07&engine=grok', 'summary')).to.contain(
      'No answer was collected from 1 Mar 2026',
    );
  });

  it('praises nothing that was not measured', async () => {
    expect(await block('?days=7&engine=grok', 'actions')).to.not.match(
      /Nothing:|no metric fell|facts were checked/,
    );
  });

  it('names the leader and the next rival before a brand that is last, and its place', async () => {
    expect(await block('?days=7&engine=chatgpt', 'summary')).to.contain('Named in none of 5 answers');
    expect(await block('?days=7&engine=chatgpt', 'competitors')).to.contain(
      'Joint sixth of seven brands, behind Globex (leader) and Vandelay (next).',
    );
  });
});
