import { expect } from 'chai';
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

  it('a domain: its pages, the answers that cite it, and the share of these that names each', async () => {
    const html = await page('sources/x.example?days=7');
    const { urls } = await server.body<{ urls: { url: string; citations: number }[] }>('urls');
    for (const { url, citations } of urls.filter((each) => each.url.includes('x.example')))
      expect(card(html, 'pages')).to.contain(`data-field="urls.${url}.citations">${citations}<`);
    const named = plain(card(html, 'named'));
    expect(named).to.match(/Acme\s+33 % \(1 of 3\)\s+60 % \(3 of 5\)/);
    expect(named).to.match(/Globex\s+67 % \(2 of 3\)\s+60 % \(3 of 5\)/);
    // Under an alias.
    expect(named).to.match(/Delta\s+33 % \(1 of 3\)/);
    expect(named).to.contain('3 of the 5 answers of these days, of all engines cite it.');
    const answers = card(html, 'answers');
    for (const run of ['r1', 'r2', 'r3']) expect(answers).to.contain(`/brands/b/answers/${run}?days=7"`);
    expect(answers).to.contain('<mark class="rival">Globex</mark> is first');
    expect(answers).to.not.contain('/answers/r4');
    expect(answers).to.contain('Its text was not collected.');
  });

  it('state their days where an engine was never asked', async () => {
    for (const path of ['competitors/c?engine=gemini', 'engines/gemini?']) {
      const html = await page(`${path}&from=2026-11-10&to=2026-11-19`);
      const about = plain(card(html, 'visibility').split('class="about">')[1]!.split('</p>')[0]!);
      expect(about, path).to.match(/^10 Nov – 19 Nov 2026, Gemini, visibility by day/);
    }
  });

  it('names and quotes of answers with many are cut on the page of a prompt, with a link to all', async () => {
    const mentions = Array.from({ length: 400 }, (_, at) => ({
      ...{ name: `name ${at} ${'x'.repeat(80)}`, order: at + 1 },
      ...{ sentiment: 'negative', evidence: `evidence ${'y'.repeat(300)}` },
    }));
    const { server: other, visitor: guest } = await marketOf(
      Array.from({ length: 20 }, (_, at) => runOf(`many${at}`, { answer: 'lorem '.repeat(100), mentions })),
    );
    const html = await guest.html('/brands/b/prompts/p?days=7');
    expect(Buffer.byteLength(html)).to.be.below(150_000);
    expect(html).to.match(/answers\/many19\?days=7">and 385 more</);
    await other.close();
  });

  it('a cited text without a domain leads nowhere', async () => {
    const { server: other, visitor: guest } = await marketOf([
      runOf('r', cites('javascript:alert(1)', 'not a page')),
    ]);
    const html = await guest.html('/brands/b?days=7');
    expect(plain(html)).to.contain('most cited: pages without a domain 2');
    expect(html).to.not.match(/href="[^"]*\/sources\/[?"]/);
    await other.close();
  });

  const marketOf = async (records: object[]) => {
    const other = await marketServer();
    await other.collect(...(records as Parameters<typeof other.collect>));
    return { server: other, visitor: await signIn(other, OPERATOR_KEY) };
  };

  it('a domain that no answer cites says of which answers; a text that is no domain is 404', async () => {
    expect(plain(await page('sources/nobody.example?days=7'))).to.contain(
      'None of the 5 answers of these days, of all engines cites it.',
    );
    for (const path of ['a%20b', 'x.example%2F1', 'X.EXAMPLE', 'javascript:alert(1)'])
      expect((await visitor.get(`/brands/b/sources/${path}`)).status, path).to.equal(404);
  });

  it('domains that are cited where the brand is absent, and searches, lead to answers', async () => {
    const html = await visitor.html('/brands/b?days=7');
    expect(card(html, 'absent')).to.contain('/brands/b/sources/x.example?days=7"');
    expect(card(html, 'searches')).to.match(/crm list.*\/brands\/b\/prompts\/p\?days=7">1 prompt<\/a>/s);
  });

  it('a competitor: prompts and sources whose answers name one of the two and not the other, of the answers of the window', async () => {
    const html = await page('competitors/c?days=7');
    for (const [id, says] of [
      ['prompts-rival', 'Prompts whose answers name Globex and not Acme'],
      ['prompts-brand', 'Prompts whose answers name Acme and not Globex'],
      ['sources-rival', 'Sources whose answers name Globex and not Acme'],
      ['answers', 'Newest answers that name Globex and not Acme'],
    ] as const)
      expect(plain(card(html, id)), id).to.contain(says);
    expect(plain(card(html, 'prompts-rival')))
      .to.contain('best crm? 2 of 2 answers')
      .and.not.contain('fast crm');
    expect(plain(card(html, 'prompts-brand')))
      .to.contain('cheapest crm? 1 of 1 answer')
      .and.not.contain('fast');
    expect(card(html, 'sources-rival'))
      .to.contain('/sources/only.example?days=7"')
      .and.not.contain('x.example');
    expect(plain(card(html, 'sources-brand'))).to.contain('No domain.');
    expect(plain(card(html, 'prompts-rival'))).to.contain('Of the 5 answers of these days, of all engines.');
    expect(card(html, 'answers')).to.contain('/answers/r1?').and.not.contain('/answers/r4?');
    // Over 28 days an answer to the other prompt names the competitor too.
    expect(plain(card(await page('competitors/c?days=28'), 'prompts-brand'))).to.contain('No prompt.');
  });

  it('a competitor: only the lines of the two are drawn', async () => {
    const legend = card(await page('competitors/d'), 'visibility')
      .split('class="legend"')[1]!
      .split('</ul>')[0]!;
    expect(legend).to.contain('Acme').and.contain('Delta').and.not.contain('Globex');
  });

  it('an engine: its answers only, and how they were collected', async () => {
    const html = await page('engines/llama?days=7');
    expect(plain(html))
      .to.contain('Acme on Llama')
      .and.contain('by the API of the vendor, not in the product that people use: 1 answer');
    expect(card(html, 'answers')).to.contain('/answers/r5?').and.not.contain('/answers/r1');
    const sources = [...elementsOf(html)].map(({ attributes }) => attribute(attributes, 'data-source') ?? '');
    for (const source of sources.filter((each) => each.startsWith('/api/')))
      expect(source).to.contain('engine=llama');
  });

  it('the form of an engine leads to the page of another one, or of several', async () => {
    for (const [query, target] of [
      ['engine=gemini&days=7', '../../../brands/b/engines/gemini?days=7'],
      ['engine=gemini&engine=grok', '../../../brands/b?engine=gemini&engine=grok'],
    ] as const) {
      const response = await visitor.get(`/brands/b/engines/llama?${query}`);
      expect([response.status, response.headers.get('location')], query).to.deep.equal([303, target]);
    }
    expect((await visitor.get('/brands/b/engines/llama?engine=llama&days=7')).status).to.equal(200);
  });

  it('what the brand does not have is the page of a brand that nobody sees', async () => {
    const bodies = await Promise.all(
      [
        'b/competitors/nobody',
        'b/competitors/b',
        'none/competitors/c',
        'b/engines/bing',
        'none/engines/grok',
        'none/sources/x.example',
      ].map(async (path) => {
        const response = await visitor.get(`/brands/${path}`);
        return `${response.status} ${await response.text()}`;
      }),
    );
    expect([...new Set(bodies)]).to.have.length(1);
    expect(bodies[0]).to.match(/^404 /);
  });

  it('every link of these pages, of the brand and of a prompt leads to a page, and keeps the window', async () => {
    const seen = new Set<string>();
    for (const path of [
      '?days=7',
      '/prompts/p?days=7',
      '/answers/r1?days=7',
      '/sources/x.example?days=7',
      '/competitors/c?days=7',
      '/engines/chatgpt?days=7',
    ]) {
      const html = await visitor.html(`/brands/b${path}`);
      for (const { name, attributes } of elementsOf(html)) {
        const href = name === 'a' ? (attribute(attributes, 'href') ?? '') : '';
        if (!/\/(answers|sources|competitors|engines|prompts)\//.test(href) || /^https?:/.test(href))
          continue;
        const { pathname, search } = new URL(href, `http://h/brands/b${path}`);
        seen.add(pathname + search);
      }
    }
    const kinds = new Set([...seen].map((each) => each.split('/')[3]));
    expect([...kinds].sort()).to.include.members(['answers', 'competitors', 'prompts', 'sources']);
    for (const each of seen) {
      server.now = new Date(server.now.getTime() + 2000);
      const { status } = await visitor.get(each);
      expect([each, status]).to.deep.equal([each, 200]);
    }
  });
});
