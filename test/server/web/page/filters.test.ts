import { expect } from 'chai';
import { reads } from '../../../../src/contract/registry.js';
import { demoBrandId } from '../../../../src/demo/data/index.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { type ApiNumbers, apiNumbers, readOf } from './support/api-numbers.js';
import { attribute, dataOf, elementsOf } from './support/data-elements.js';
import { demoWithOddMarket } from './support/demo.js';
import { crowdedId } from './support/odd-market.js';
import { signIn, type Visitor } from './support/visitor.js';

const BRAND = `/brands/${demoBrandId}`;
const PROMPT = `${BRAND}/prompts/p01`;

/** A value of each filter, and how a block names what it is not filtered by. */
const FILTERS = {
  engine: ['chatgpt,grok', 'engines'],
  topic: ['buying', 'topics'],
  tag: ['best-of,price', 'tags'],
  prompt: ['p01', 'prompts'],
  region: ['us', 'regions'],
} as const;

/** Reads with a row for each prompt: the page leaves out the rows of others. */
const BY_PROMPT = ['prompts'];

describe('the filters of a page', () => {
  let visitor: Visitor;
  let numbers: ApiNumbers;
  const server = shared(demoWithOddMarket);
  before(async () => {
    numbers = apiNumbers(server);
    visitor = await signIn(server, OPERATOR_KEY);
  });
  /** A minute refills the tokens of the key. */
  const later = () => {
    server.now = new Date(server.now.getTime() + 60_000);
  };
  beforeEach(later);

  const blocksOf = (html: string) =>
    html
      .split('<section ')
      .slice(1)
      .map((block) => ({
        id: /id="([^"]*)"/.exec(block)![1]!,
        about: /<p class="about">(.*?)<\/p>/s.exec(block)?.[1] ?? '',
        html: `<section ${block.split('</section>')[0]}</section>`,
      }));

  for (const [filter, [value, noun]] of Object.entries(FILTERS))
    for (const path of filter === 'prompt'
      ? [`${BRAND}/sources`, `${BRAND}/competitors`]
      : [BRAND, PROMPT, `${BRAND}/prompts`, `${BRAND}/sources`, `${BRAND}/shopping`])
      it(`${path}?${filter}=${value}: each number is that of the API with it, or its block says that it is of all`, async () => {
        const blocks = blocksOf(await visitor.html(`${path}?days=14&${filter}=${value}`));
        const filtered = new Set<string>();
        for (const { id, about, html } of blocks)
          for (const element of dataOf(html)) {
            const read = readOf(element.field);
            await numbers.expectTrue(element);
            const asked = new URLSearchParams(element.source!.split('?')[1]).get(filter);
            if (filter in reads[read].params) {
              expect(asked, `${id} ${element.field}`).to.satisfy(
                (given: string | null) =>
                  given === value ||
                  // Engines without web search have rows of their own.
                  (id === 'why' && filter === 'engine'),
              );
              filtered.add(read);
            } else if (
              ['fact-check', 'briefing'].includes(read) ||
              (BY_PROMPT.includes(read) && filter !== 'region')
            )
              continue;
            else expect(about, `${id} ${element.field}`).to.match(new RegExp(`of all .*${noun}`));
          }
        if (!path.endsWith('shopping')) expect(filtered.size, path).to.be.greaterThan(0);
        if (path === BRAND) expect([...filtered]).to.include.members(['overview', 'competitors']);
      });

  it('leave the rows of other prompts out', async () => {
    const [all, tagged] = await Promise.all(
      ['', '&tag=price'].map(async (query) => {
        const html = await visitor.html(`${BRAND}/prompts?days=14${query}`);
        const rows = html.split('id="prompts"')[1]!.split('</section>')[0]!;
        return new Set([...rows.matchAll(/\/prompts\/(p\d+)/g)].map(([, id]) => id!));
      }),
    );
    const { prompts } = await server.read<{ prompts: { id: string; tags: string[] }[] }>(
      `/api/v1/prompts?brand=${demoBrandId}`,
    );
    const wanted = prompts.filter(({ tags }) => tags.includes('price')).map(({ id }) => id);
    expect([...tagged!].toSorted()).to.deep.equal(wanted.toSorted());
    expect(all!.size).to.be.greaterThan(tagged!.size);
  });

  it('are chips, each of which leads to the page without its value', async () => {
    const html = await visitor.html(`${BRAND}?days=14&engine=chatgpt&engine=grok&tag=price`);
    const chips = [...html.matchAll(/<a class="chip" href="([^"]*)">(.*?)<\/a>/g)].map(
      ([, href, words]) =>
        `${words!.replaceAll(/<[^>]*>|×/g, '').trim()} → ${href!.replaceAll('&amp;', '&')}`,
    );
    const to = `../brands/${demoBrandId}`;
    expect(chips).to.deep.equal([
      `Remove: Engine: ChatGPT → ${to}?days=14&engine=grok&tag=price`,
      `Remove: Engine: Grok → ${to}?days=14&engine=chatgpt&tag=price`,
      `Remove: Tag: price → ${to}?days=14&engine=chatgpt,grok`,
    ]);
    expect(await visitor.html(BRAND)).to.not.contain('class="chip"');
  });

  it('are set by the topic and the tags of a prompt, on both pages', async () => {
    for (const path of [`${BRAND}/prompts`, PROMPT]) {
      const html = await visitor.html(`${path}?days=14&region=us`);
      const up = path === PROMPT ? '../../../' : '../../';
      for (const filter of ['topic=buying', 'tag=best-of'])
        expect(html, path).to.contain(
          `href="${up}brands/${demoBrandId}?days=14&amp;${filter}&amp;region=us"`,
        );
    }
  });

  it('with a value that the brand does not have are 400, and say which it has', async () => {
    for (const [query, words] of [
      ['tag=nobody', /^Unknown tag: nobody\. Known for this brand: beginner, best-of, /],
      ['topic=nobody', /^Unknown topic: nobody\. Known for this brand: buying \(Buying guides\), /],
      ['prompt=p01,nobody', /^Unknown prompt: nobody\. Known for this brand: p01 \(/],
      ['region=xx', /^Unknown region: xx\. Regions of this brand’s runs: de, gb, us$/],
      ['engine=bing', /^Unknown engine: bing\. Known engines: chatgpt, /],
      ['tag=%3Cb%3E', /^Unknown tag: &lt;b>\./],
      [`tag=${'x'.repeat(301)}`, /has 301 characters\. Give one of at most 300\.$/],
      [`tag=${Array.from({ length: 21 }, (_, at) => at).join()}`, /^tag has 21 values\. Give at most 20\.$/],
      ['tag=a,,b', /^Empty element in tag/],
    ] as const) {
      later();
      const response = await visitor.get(`${BRAND}?${query}`);
      const html = await response.text();
      expect(response.status, query).to.equal(400);
      expect(/<p class="problem">(.*?)<\/p>/s.exec(html)?.[1], query).to.match(words);
    }
    const response = await visitor.get(`${PROMPT}?prompt=p02`);
    expect([response.status, await response.text()].join()).to.match(
      /^400.*prompt cannot be chosen on this page/s,
    );
  });

  it('with many values do not make a page of over 150 kB', async () => {
    const html = await visitor.html(
      `/brands/${crowdedId}?days=56&prompt=${Array.from({ length: 20 }, (_, at) => `p${at}`).join()}`,
    );
    expect(Buffer.byteLength(html)).to.be.below(150_000);
  });

  it('each read of a page has a file in JSON with the bytes of the API, and one in CSV, once', async () => {
    for (const [path, least] of [
      [`${BRAND}?days=14&engine=chatgpt,grok&tag=price`, 5],
      [`${BRAND}/sources?days=14`, 5],
      [`${PROMPT}?days=14&region=us`, 6],
    ] as const) {
      const html = await visitor.html(path);
      const links = [...elementsOf(html)]
        .filter(({ attributes }) => /\.(json|csv)\?/.test(attributes))
        .map(({ attributes }) => new URL(attribute(attributes, 'href')!, `${server.url}${path}`));
      expect(links.length, path).to.be.at.least(2 * least);
      expect(new Set(links.map(({ pathname }) => pathname)).size, path).to.equal(links.length);
      for (const link of links) {
        later();
        const file = await visitor.get(link.pathname + link.search);
        const [, name, format] = /\/([\w-]+)\.(json|csv)$/.exec(link.pathname)!;
        const { path: of } = reads[name as keyof typeof reads] as { path?: string };
        if (of === undefined) continue;
        const query = new URLSearchParams(link.search);
        query.set('brand', demoBrandId);
        const api = await server.request(`/api/v1/${of}?${query}`, OPERATOR_KEY, {
          headers: { Accept: format === 'csv' ? 'text/csv' : 'application/json' },
        });
        expect([file.status, api.status], link.href).to.deep.equal([200, 200]);
        const [own, ofApi] = await Promise.all([file.text(), api.text()]);
        if (format === 'json') expect(own, link.href).to.equal(ofApi);
        else expect(own, link.href).to.not.match(/[[{]""|"\[/);
        expect(file.headers.get('content-type')).to.equal(api.headers.get('content-type'));
      }
    }
  });

  it('a file that no read has is 404, and a filter that its read does not have is 400', async () => {
    const statusOf = async (path: string) => (await visitor.get(path)).status;
    expect(await statusOf(`${BRAND}/nobody.json`)).to.equal(404);
    expect(await statusOf(`${BRAND}/brands.json`)).to.equal(404);
    expect(await statusOf('/brands/nobody/overview.json')).to.equal(404);
    expect(await statusOf(`${BRAND}/sentiment.csv?tag=price`)).to.equal(400);
    expect(await statusOf(`${BRAND}/overview.csv?tag=nobody`)).to.equal(400);
    expect(await statusOf(`${BRAND}/visibility.csv?days=7&tag=price`)).to.equal(200);
    expect(await statusOf(`${BRAND}/visibility.csv?days=7&engine=&tag=`)).to.equal(200);
    const starter = await signIn(server, await server.key({ workspace: 'odd', kind: 'read' }));
    expect((await starter.get(`${BRAND}/overview.json`)).status).to.equal(404);
  });
});
