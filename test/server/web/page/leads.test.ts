import { expect } from 'chai';
import { PAGE_PATHS, TABS } from '../../../../src/server/web/page/paths.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from '../../answers/reads/support/market-server.js';
import { attribute, elementsOf } from './support/data-elements.js';
import { signIn, type Visitor } from './support/visitor.js';

const plain = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
const card = (html: string, id: string) => html.split(`id="${id}"`)[1]!.split('</section>')[0]!;
const names = (...all: string[]) => ({ mentions: all.map((name, place) => ({ name, order: place + 1 })) });
const cites = (...urls: string[]) => ({ citations: urls.map((url) => ({ url })) });

describe('pages behind names, domains and engines', () => {
  let visitor: Visitor;
  const server = shared(marketServer);
  before(async () => {
    const text = { answer: 'Globex is first, GX too.' };
    await server.collect(
      { type: 'competitor', id: 'd', brand: 'b', name: 'Delta', aliases: ['Dlt'] },
      { type: 'prompt', id: 's', brand: 'b', text: 'fast crm?' },
      { type: 'mark', id: 'm', brand: 'b', day: '2026-11-17', text: 'Guide published', prompts: ['s'] },
      runOf('r1', {
        ...text,
        ...names('Globex'),
        fanouts: ['crm list'],
        ...cites('https://x.example/1', 'https://only.example/'),
      }),
      runOf('r2', { ...names('Globex', 'Dlt'), ...cites('https://x.example/2', 'https://x.example/1') }),
      runOf('r3', { ...names('Acme'), prompt: 'q', ...cites('https://x.example/1') }),
      runOf('r4', { ...names('Acme', 'Globex'), prompt: 's', surface: 'serp' }),
      runOf('r5', { ...names('Acme'), prompt: 's', engine: 'llama', surface: 'api' }),
      runOf('old', { ...names('Globex'), prompt: 'q', ...at('2026-11-01') }),
    );
    visitor = await signIn(server, OPERATOR_KEY);
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });
  const page = (path: string) => visitor.html(`/brands/b/${path}`);

  it('a domain: its pages, the answers that cite it, and whom those name that do not name the brand', async () => {
    const html = await page('sources/x.example?days=7');
    const { urls } = await server.body<{ urls: { url: string; citations: number }[] }>('urls');
    for (const { url, citations } of urls.filter((each) => each.url.includes('x.example')))
      expect(card(html, 'pages')).to.contain(`data-field="urls.${url}.citations">${citations}<`);
    const named = plain(card(html, 'to-win'));
    expect(named).to.match(/x\.example 2 1 Globex 2 ?, Delta 1/);
    const answers = card(html, 'answers');
    for (const run of ['r1', 'r2', 'r3']) expect(answers).to.contain(`/brands/b/answers/${run}?days=7"`);
    expect(answers).to.contain('<mark class="rival">Globex</mark> is first');
    expect(answers).to.not.contain('/answers/r4');
    expect(answers).to.contain('Its text was not collected.');
  });

  it('a cited page: the answers that cite it, whatever the spelling of its address', async () => {
    for (const url of ['https://x.example/1', 'HTTPS://X.example/1?utm_source=e#top']) {
      const html = await page(`page?days=7&url=${encodeURIComponent(url)}`);
      const answers = card(html, 'answers');
      for (const run of ['r1', 'r2', 'r3']) expect(answers, url).to.contain(`/answers/${run}?days=7"`);
      expect(answers).to.not.contain('/answers/r4');
    }
    for (const url of ['', 'javascript:alert(1)', 'x', 'https://'])
      expect((await visitor.get(`/brands/b/page?url=${encodeURIComponent(url)}`)).status, url).to.equal(404);
  });

  it('the list of answers is chosen by what they say and cite', async () => {
    const listed = async (query: string) =>
      [...card(await page(`answers?days=7&${query}`), 'answers').matchAll(/answers\/(r\d)\?/g)]
        .map(([, id]) => id)
        .sort();
    expect(await listed('')).to.deep.equal(['r1', 'r2', 'r3', 'r4']);
    expect(await listed('engine=llama')).to.deep.equal(['r5']);
    expect(await listed('cites=x.example&without=b')).to.deep.equal(['r1', 'r2']);
    expect(await listed('names=d,b&cites=&tone=')).to.deep.equal(['r2', 'r3', 'r4']);
    expect(await listed('names=c&without=d')).to.deep.equal(['r1', 'r4']);
    expect((await visitor.get('/brands/b/answers?tone=angry')).status).to.equal(400);
  });

  it('a cited text without a domain leads nowhere', async () => {
    const { server: other, visitor: guest } = await marketOf([
      runOf('r', cites('javascript:alert(1)', 'not a page')),
    ]);
    const html = await guest.html('/brands/b/sources?days=7');
    expect(plain(html)).to.contain('pages without a domain');
    expect(html).to.not.match(/href="[^"]*\/sources\/[?"]/);
    await other.close();
  });

  const marketOf = async (records: object[]) => {
    const other = await marketServer();
    await other.collect(...(records as Parameters<typeof other.collect>));
    return { server: other, visitor: await signIn(other, OPERATOR_KEY) };
  };

  it('a domain that no answer cites says so; a text that is no domain is 404', async () => {
    expect(plain(card(await page('sources/nobody.example?days=7'), 'answers'))).to.contain(
      'None in these days.',
    );
    for (const path of ['a%20b', 'x.example%2F1', 'X.EXAMPLE', 'javascript:alert(1)'])
      expect((await visitor.get(`/brands/b/sources/${path}`)).status, path).to.equal(404);
  });

  it('searches lead to their prompt', async () => {
    const html = await page('prompts?days=7');
    expect(card(html, 'searches')).to.match(/crm list.*\/brands\/b\/prompts\/p\?days=7">1 prompt<\/a>/s);
  });

  it('a competitor: the domains and the answers that name it and not the brand, of the whole window', async () => {
    const html = await page('competitors/c?days=7');
    expect(plain(card(html, 'answers'))).to.contain('Answers that name Globex and not Acme');
    expect(card(html, 'answers')).to.contain('/answers/r1?').and.not.contain('/answers/r4?');
    expect(card(html, 'to-win'))
      .to.contain('/sources/only.example?days=7"')
      .and.contain('cites=only.example&amp;names=c,d&amp;without=b');
    expect(card(html, 'absent')).to.contain('/prompts/p?days=7"').and.not.contain('/prompts/s?');
  });

  it('a competitor: only the lines of the two are drawn', async () => {
    const chart = card(await page('competitors/d'), 'line').split('</svg>')[0]!;
    const names = [...chart.matchAll(/class="name[^"]*"[^>]*>(\w+)/g)].map(([, name]) => name);
    expect(names.sort()).to.deep.equal(['Acme', 'Delta']);
  });

  it('the address of an engine leads to the page of the brand with this filter, and that of one prompt to its page', async () => {
    for (const [path, target] of [
      ['engines/gemini?days=7', '../../../brands/b?days=7&engine=gemini'],
      ['engines/llama', '../../../brands/b?engine=llama'],
      ['?prompt=p&days=7', '../brands/b/prompts/p?days=7'],
    ] as const) {
      const response = await visitor.get(`/brands/b${path.startsWith('?') ? '' : '/'}${path}`);
      expect([response.status, response.headers.get('location')], path).to.deep.equal([303, target]);
    }
    const html = await visitor.html('/brands/b?engine=llama&days=7');
    const sources = [...elementsOf(html)].map(({ attributes }) => attribute(attributes, 'data-source') ?? '');
    for (const source of sources.filter((each) => each.startsWith('/api/')))
      expect(source).to.contain('engine=llama');
  });

  it('what the brand does not have is the page of a brand that nobody sees', async () => {
    const bodies = await Promise.all(
      ['b/competitors/nobody', 'b/competitors/b', 'none/competitors/c', 'none/sources/x.example'].map(
        async (path) => {
          const response = await visitor.get(`/brands/${path}`);
          return `${response.status} ${await response.text()}`;
        },
      ),
    );
    expect([...new Set(bodies)]).to.have.length(1);
    expect(bodies[0]).to.match(/^404 /);
  });

  const PAGES = [
    '',
    ...TABS.map((tab) => `/${tab}`),
    '/prompts/p',
    '/answers/r1',
    '/sources/x.example',
    '/competitors/c',
    '/marks/m',
    '/page',
  ];

  /** The links of all pages, and what stands in them. */
  const allLinks = async () => {
    const seen = new Map<string, string>();
    for (const path of PAGES) {
      const query = path === '/page' ? '?days=7&url=https%3A%2F%2Fx.example%2F1' : '?days=7';
      server.now = new Date(server.now.getTime() + 60_000);
      const html = await visitor.html(`/brands/b${path}${query}`);
      for (const [, href = '', text = ''] of html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs)) {
        if (/^https?:|\.(json|csv)\?|^#/.test(href)) continue;
        const { pathname, search } = new URL(href.replaceAll('&amp;', '&'), `http://h/brands/b${path}`);
        seen.set(pathname + search, text.replaceAll(/<[^>]*>/g, '').trim());
      }
    }
    return seen;
  };

  it('no page of a brand is left out here', () => {
    // Those about other things than answers, and those that only lead on or are forms.
    const others = /\/(engines|share|settings|needs\/aside)\b|\.(json|csv)$/;
    const known = new Set(PAGES.map((path) => `/brands/:brand${path.replace(/(\/\w+)\/.*/, '$1/')}`));
    const paths = Object.values(PAGE_PATHS).filter(
      (path) => path.startsWith('/brands/:brand') && !others.test(path),
    );
    for (const path of paths.filter((each) => each !== PAGE_PATHS.brand))
      expect([...known], path).to.include(path.replace(/(\/\w+)\/:\w+$/, '$1/'));
  });

  it('every link of every page leads to a page', async () => {
    const seen = await allLinks();
    const kinds = new Set([...seen.keys()].map((each) => each.split(/[/?]/)[3]));
    expect([...kinds]).to.include.members(['answers', 'competitors', 'marks', 'prompts', 'sources', 'page']);
    for (const each of seen.keys()) {
      server.now = new Date(server.now.getTime() + 2000);
      const { status } = await visitor.get(each);
      expect([each, [200, 303].includes(status)]).to.deep.equal([each, true]);
    }
  });

  it('every number that leads to answers leads to exactly so many', async () => {
    let counted = 0;
    for (const [link, text] of await allLinks()) {
      const { pathname, searchParams } = new URL(link, 'http://h');
      const [, number] = /^([\d,]+)(?: answers?)?$/.exec(text) ?? [];
      if (pathname !== '/brands/b/answers' || number === undefined) continue;
      server.now = new Date(server.now.getTime() + 2000);
      const html = await visitor.html(link);
      const listed = [...card(html, 'answers').matchAll(/<h3><a /g)].length;
      expect(listed, `${link} ${searchParams}`).to.equal(Number(number.replaceAll(',', '')));
      counted++;
    }
    expect(counted).to.be.greaterThan(8);
  });
});
