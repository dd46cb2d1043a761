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

  const newest = async (query: string) =>
    /Newest answer: <time datetime="([^"]*)"/.exec(await visitor.html(`/brands/b${query}`))?.[1];

  it('states in the scorecard the newest day of the engines that are chosen', async () => {
    expect(await newest('')).to.equal('2026-11-20');
    expect(await newest('?engine=gemini')).to.equal('2026-11-16');
    expect(await newest('?engine=llama')).to.equal('2026-11-18');
    expect(await newest('?engine=llama,gemini&from=2026-11-16&to=2026-11-17')).to.equal('2026-11-18');
    expect(await newest('?engine=grok')).to.equal(undefined);
  });

  it('names its chart, and no read, for the values of days that have only daily statistics', async () => {
    const stat = { brand: 'b', entity: 'b', engine: 'chatgpt', run_count: 4, visibility: 40 };
    await server.collect({ type: 'daily_stat', date: '2026-05-04', ...stat });
    const page = await visitor.html('/brands/b?from=2026-05-01&to=2026-05-31');
    const words = 'only daily statistics: the chart by day has their values.';
    const blocks = page.split('<section ').filter((block) => block.includes(words));
    expect(blocks.map((block) => /id="([^"]*)"/.exec(block)?.[1])).to.deep.equal([
      ...['scorecard', 'why', 'domains', 'pages', 'quotes', 'absent', 'gaps'],
    ]);
    expect(page).to.not.match(/No prompt was asked|No answer cited/);
    expect(page.replaceAll(/<[^>]*>/g, ' ')).to.not.contain('metrics/history');
  });

  const NO_ANSWERS = '?from=2026-11-06&to=2026-11-12';

  it('states its days in every block, also where no answer was ever collected', async () => {
    for (const query of ['', '&engine=grok', '&engine=gemini']) {
      const blocks = (await visitor.html(`/brands/b${NO_ANSWERS}${query}`)).split('<section ').slice(1);
      const without = blocks.filter((block) => !block.includes('6 Nov – 12 Nov 2026'));
      const ids = without.map((block) => /id="([^"]*)"/.exec(block)?.[1]);
      expect(ids, query).to.deep.equal(['actions']);
    }
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
      .to.contain('From 1 answer.')
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
    for (const path of ['competitors/c', 'engines/chatgpt', 'sources/site.example', 'answers/r5'])
      expect(html).to.contain(`href="../brands/b/${path}?days=7"`);
  });

  it('has at most five needs, each with a link that leads to a block of the page or to another page', async () => {
    const html = await visitor.html('/brands/b?days=7');
    const [first = ''] = html.split('id="actions"')[1]!.split(/<details|<\/section>/);
    const links = [...first.matchAll(/<li[^>]*><a href="([^"]*)"/g)].map(([, href]) => href!);
    expect(links.length).to.be.within(1, 5);
    expect(links.length).to.equal(first.match(/<li/g)!.length);
    for (const href of links) {
      if (href.startsWith('#')) expect(html).to.contain(` id="${href.slice(1)}"`);
      else expect(href).to.match(/^\.\.\/brands\/b\//);
    }
    expect(first).to.not.match(/<code|svc /);
  });

  it('states both values and the amount with its unit at every change', async () => {
    const days = Array.from({ length: 14 }, (_, day) => `2026-10-${String(day + 10)}`);
    await server.collect(...days.map((day, place) => runOf(`c${place}`, at(day))));
    const html = await visitor.html('/brands/b?from=2026-10-17&to=2026-10-23');
    const scorecard = html
      .split('id="scorecard"')[1]!
      .split('</section>')[0]!
      .replaceAll(/<[^>]*>/g, '');
    const changes = scorecard.match(/from [\d.]+(?: %)? to [\d.]+(?: %)?: [^.]*?[+−±][\d.]+ (?:points|pp)/g);
    expect(changes, scorecard).to.have.length.within(2, 5);
    expect(html).to.not.match(/verdict (?:up|down)">(?:up|down)</);
  });

  it('says beneath the name of an engine how its answers were collected', async () => {
    await server.collect(
      runOf('s1', { ...at('2026-11-20'), engine: 'grok', surface: 'ui' }),
      runOf('s2', { ...at('2026-11-19'), engine: 'grok', surface: 'api' }),
    );
    const html = await visitor.html('/brands/b?days=7');
    const text = html
      .split('id="engines"')[1]!
      .split('</section>')[0]!
      .replaceAll(/<[^>]*>/g, '');
    expect(text.replaceAll(/\s+/g, ' ')).to.match(/Grok collected: (?:API 1, product 1|product 1, API 1)/);
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
    return [...block.matchAll(/<li><a href="([^"]*)">(.*?)<\/a> <small>(.*?)<\/small>/gs)]
      .map(([, href = '', words = '', advice = '']) => ({
        href,
        words: words.replaceAll(/<[^>]*>/g, ''),
        advice: advice.replaceAll(/<[^>]*>/g, ''),
      }))
      .filter((_, at) => needs[at]!.kind === 'bad_news');
  };

  it('names the headline of the newest night, its drivers, and how many others are told, and leads to its days', async () => {
    const days = ['2026-10-20', '2026-11-19'] as const;
    await server.collect(...runsFrom(...days, FALL), ...runsFrom(...days, FALL, { engine: 'gemini' }));
    const fallen = (await server.body<Moves>('moves')).moves.filter(
      ({ direction, entity }) => direction === 'down' && entity === null,
    );
    expect(fallen.some(({ role }) => role === 'folded')).to.equal(true);
    const [first, ...others] = fallen.filter(({ role }) => role !== 'folded');
    expect(first).to.include({ role: 'headline', metric: 'presence_rate', engine: null });
    const [line, ...more] = await lines();
    expect(more).to.deep.equal([]);
    expect(line!.words).to.equal(first!.text.replace(/\.$/, ''));
    expect(line!.advice).to.equal(
      `${first!.because ?? 'See why.'} ${others.length} moves more in the last 7 days.`,
    );
    const { from, to } = first!.why!;
    expect(line!.href).to.include(`/brands/b?from=${from}&amp;to=${to}`).and.match(/#why$/);
    expect(await lines('?engine=chatgpt')).to.deep.equal([]);
  });

  it('names a day without a collection, and what to do about it', async () => {
    const calm = { ...FALL, after: 12 };
    await server.collect(...runsFrom('2026-10-20', '2026-11-17', calm), ...runsOn('2026-11-19', 12));
    await server.collect(...runsOn('2026-11-20', 12));
    const [told] = await lines();
    expect(told!.words).to.equal('No answer of 2026-11-18 was collected; about 20 are usual on a day');
    // Then the server that was to collect it is up again.
    await planCollections(server.database.knex, 1, {
      ...{ next: null, missed: ['2026-11-18'], now: server.now },
    });
    await tellAllMoves(server.database.knex, null, server.now);
    server.pass();
    const [line] = await lines();
    expect(line).to.deep.include({
      href: '#visibility',
      words: 'The collection of 2026-11-18 did not happen',
      advice: 'Ask whoever operates this server to look at the collection.',
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
    const html = (await visitor.html(`/brands/b${query}`)).split(`<section class="card`);
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
    const legend = (await visitor.html(`/brands/b${OLD}`))
      .split('<ul class="legend">')[1]!
      .split('</ul>')[0]!;
    expect([...legend.matchAll(/\/competitors\/(.)/g)].map(([, id]) => id)).to.deep.equal([
      ...['f', 'e', 'g', 'h'],
    ]);
  });

  it('does not say that nothing was collected where only the choice has no answer', async () => {
    for (const query of ['&engine=gemini&prompt=p', '&engine=grok']) {
      const says = await block(`?days=7${query}`, 'summary');
      expect(says, query).to.contain(
        'Answers were collected from 14 November 2026 to 20 November 2026, but none of this choice',
      );
      expect(says, query).to.not.contain('No answer was collected');
    }
    expect(await block('?from=2026-03-01&to=2026-03-07&engine=grok', 'summary')).to.contain(
      'No answer was collected from 1 March 2026',
    );
  });

  it('praises nothing that was not measured', async () => {
    expect(await block('?days=7&engine=grok', 'actions')).to.not.match(
      /Nothing:|no metric fell|facts were checked/,
    );
  });

  it('names the leader and the next rival before a brand that is last, and its place', async () => {
    expect(await block('?days=7&engine=chatgpt', 'summary'))
      .to.contain('is named in none of 5 answers')
      .and.contain(
        'share of voice 0.0 % , joint sixth of seven brands: behind Globex 33.3 % (the first) and Vandelay 6.7 %',
      );
  });

  it('says where the bars of a waterfall begin', async () => {
    const answer = (id: string, day: string, prompt: string, order: number) =>
      runOf(id, { prompt, ...at(day), mentions: [{ name: 'Acme', order }] });
    await server.collect(
      ...['2026-11-11', '2026-11-12'].flatMap((day) => [
        answer(`b${day}`, day, 'p', 1),
        answer(`c${day}`, day, 'q', 2),
      ]),
      ...['2026-11-15', '2026-11-16'].flatMap((day) => [
        answer(`b${day}`, day, 'p', 1),
        answer(`c${day}`, day, 'q', 1),
      ]),
    );
    const html = await visitor.html('/brands/b?from=2026-11-14&to=2026-11-17');
    // A rule for what stands before another answer does not move the bar of the same name.
    const [, sheet] = /href="[./]*(page-[^"]*\.css)"/.exec(html)!;
    expect(await (await visitor.get(`/${sheet}`)).text())
      .to.match(/\.step\.before/)
      .and.not.match(/^\s*\.before\s*[,{]/m);
    expect(html.replaceAll(/<[^>]*>/g, '')).to.match(/The bars begin at [\d.]+, not at 0\./);
  });
});
