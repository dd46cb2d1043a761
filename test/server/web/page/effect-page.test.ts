/** Whether what was done helped, on the page behind its flag. */
import { expect } from 'chai';
import { effectSentences } from '../../../../src/contract/effect-words.js';
import type { Effect } from '../../../../src/contract/reads/effect.js';
import { addDays } from '../../../../src/server/base/days.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { apiNumbers, readOf } from './support/api-numbers.js';
import { dataOf } from './support/data-elements.js';
import { signIn, type Visitor } from './support/visitor.js';

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
const card = (html: string, id: string) => html.split(`id="${id}"`)[1]!.split('</section>')[0]!;

const TODAY = '2026-11-20';
const MARKED = '2026-10-30';
const GUIDE = 'https://acme.com/guide';
const HOSTILE = '<script>alert(1)</script> \u202egnp.exe "\' & '.repeat(4);

/** Twelve prompts over fifty days; those that something was done for name the brand twice as often afterwards. */
const answers = Array.from({ length: 50 }, (_, back) => addDays(TODAY, -back)).flatMap((day, back) =>
  Array.from({ length: 12 }, (_, number) => {
    const every = number < 3 && day > MARKED ? 1 : 2 + (number % 3);
    return runOf(`${day}-${number}`, {
      ...{ prompt: `p${number}`, ...at(day) },
      mentions: (back + number) % every === 0 ? [{ name: 'Acme', order: 1 }] : [],
      citations: number === 0 && day > MARKED ? [{ url: GUIDE }] : [],
    });
  }),
);
const mark = (id: string, more: object) => ({ type: 'mark', brand: 'b', id, day: MARKED, text: id, ...more });

describe('the page of a mark', () => {
  let visitor: Visitor;
  const server = shared(() => marketServer(new Date(`${TODAY}T12:00:00Z`)));
  before(async () => {
    await server.collect(
      ...Array.from({ length: 12 }, (_, number) => ({
        ...{ type: 'prompt', id: `p${number}`, brand: 'b', text: `Question ${number}?` },
        tags: number < 3 ? ['guide'] : [],
      })),
      ...answers,
      mark('guide', { text: 'Guide published', tags: ['guide'], pages: [GUIDE, 'https://acme.com/none'] }),
      mark('hostile', { text: HOSTILE, prompts: ['p0', 'p1'], url: 'https://x.example/%22%3E%3Cscript%3E' }),
      mark('new', { prompts: ['p5'], day: addDays(TODAY, -3) }),
      mark('flag', { text: 'New name', day: addDays(TODAY, -40) }),
    );
    visitor = await signIn(server, OPERATOR_KEY);
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });
  const page = (id: string, query = '') => visitor.html(`/brands/b/marks/${encodeURIComponent(id)}${query}`);

  it('has the sentences and the numbers of the read, and claims no cause', async () => {
    const numbers = apiNumbers(server);
    for (const [query, rest] of [
      ['', ''],
      ['?metric=presence_rate&engine=chatgpt', '&metric=presence_rate&engine=chatgpt'],
    ] as const) {
      const html = await page('guide', query);
      const body = await server.body<Effect>('effect', `&mark=guide${rest}`);
      expect([body.verdict, body.treated.prompts, body.control.prompts]).to.deep.equal(['up', 3, 8]);
      const text = plain(html).replaceAll('&quot;', '"');
      for (const sentence of effectSentences(body)) expect(text).to.contain(sentence);
      expect(text).to.contain('it helped, as far as').and.contain(body.note!);
      expect(text).to.not.match(/because/i);
      const found = dataOf(html).filter(({ field }) => readOf(field) === 'effect');
      for (const each of found) await numbers.expectTrue(each);
      const fields = found.map(({ field }) => field);
      expect(fields).to.include.members([
        ...['effect.effect', 'effect.interval.0', 'effect.predicted', 'effect.detectable', 'effect.left_out'],
        ...body.prompts.flatMap(({ id }) =>
          ['before', 'after', 'predicted', 'beyond'].map((name) => `effect.prompts.${id}.${name}`),
        ),
        ...['effect.pages.0.share', 'effect.pages.0.interval.1', 'effect.pages.1.answers'],
      ]);
      expect(plain(card(html, 'effect-pages')))
        .to.contain('31 Oct')
        .and.contain('not cited');
    }
  });

  it('draws the prompts by day, what is predicted of them, and the flag', async () => {
    const html = card(await page('guide'), 'effect');
    const broad = html.split('</svg>')[0]!;
    expect(broad.match(/<g class="line( own)?"><path/g)).to.have.length(2);
    expect(broad).to.contain('30 Oct: Guide published').and.contain('Marked 100.0').and.contain('Predicted');
    // By day the line moves; two means would be two levels.
    const own = /<g class="line own"><path d="([^"]*)"/.exec(broad)![1]!;
    expect(new Set([...own.matchAll(/,([\d.]+)/g)].map(([, y]) => y)).size).to.be.greaterThan(5);
    expect(plain(html)).to.contain('mean of seven days');
  });

  it('is behind the flag of the chart and the list of marks, and keeps the window and no choice of prompts', async () => {
    const first = card(await visitor.html('/brands/b?days=28'), 'line');
    expect(first).to.match(/href="[^"]*\/brands\/b\/marks\/new\?days=28">17 Nov: new<\/a>/);
    const tagged = card(await visitor.html('/brands/b?days=28&tag=guide'), 'line');
    expect(tagged).to.match(/\/marks\/new\?days=28"/);
    const listed = card(await visitor.html('/brands/b/moves'), 'marks');
    const rows = listed
      .split('<tr')
      .slice(2)
      .map((row) => plain(`<tr${row}`).trim());
    expect(rows[0]).to.contain('17 Nov 2026').and.contain('1 prompt');
    expect(rows.at(-1)).to.contain('New name').and.contain('only a flag');
    for (const [, href] of listed.matchAll(/href="([^"]*marks[^"]*)"/g))
      expect((await visitor.get(new URL(href!, 'http://h/brands/b/moves').pathname)).status).to.equal(200);
    expect(plain(await page('guide', '?tag=guide'))).to.contain('of all tags');
  });

  it('says why it is unknown, and of a mark without prompts that it is only a flag', async () => {
    const soon = plain(await page('new'));
    const { reason } = await server.body<Effect>('effect', '&mark=new');
    expect(soon)
      .to.contain(`Whether it helped is unknown. ${reason}`)
      .and.contain('of this window and 28 of the one before');
    const html = await page('flag');
    expect(plain(html))
      .to.contain('This mark names no prompts, so it is only a flag')
      .and.contain('New name');
    expect(card(html, 'effect')).to.not.match(/<svg class="lines|data-field|unknown/);
  });

  it('shows a hostile mark as text, with its numbers behind it', async () => {
    const html = await page('hostile');
    expect(html).to.not.match(/<script|javascript:|\u202e/);
    expect(html).to.contain('&lt;script>alert(1)');
    const { treated } = await server.body<Effect>('effect', '&mark=hostile');
    expect(plain(card(html, 'effect'))).to.contain(
      `from ${treated.before!.toFixed(1)} to ${treated.after!.toFixed(1)}`,
    );
  });

  it('of an unknown mark is the page of a brand that nobody sees', async () => {
    const bodies = await Promise.all(
      ['b/marks/nobody', 'b/marks/%00', 'none/marks/guide'].map(async (path) => {
        const response = await visitor.get(`/brands/${path}`);
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect([...new Set(bodies)]).to.have.length(1);
    expect(bodies[0]).to.match(/^404 /);
  });

  it('is behind a link of all prompts, and not behind one of some, which has no others to compare', async () => {
    const key = await server.key({ workspace: 'w', kind: 'read' });
    const open = async (query: string) => {
      const made = await server.request(`/shares?brand=b${query}`, key, { method: 'POST' });
      const { path } = (await made.json()) as { path: string };
      return (rest: string) => server.request(`${path}${rest}`, null, { redirect: 'manual' });
    };
    for (const filter of ['', '&engine=chatgpt']) {
      const link = await open(filter);
      expect(await (await link('?days=28')).text()).to.contain('/marks/new');
      const shown = await link('/marks/guide');
      expect(shown.status).to.equal(200);
      expect(plain(await shown.text())).to.contain('it helped, as far as');
      expect((await link('/marks/nobody')).status).to.equal(404);
    }
    const part = await open('&tag=guide');
    expect(await (await part('?days=28')).text()).to.not.contain('/marks/');
    for (const path of ['/marks/guide', '/effect.json?mark=guide'])
      expect((await part(path)).status, path).to.equal(404);
  });
});
