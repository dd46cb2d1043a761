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
const BY_PROMPT = ['prompts', 'content-coverage'];

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
    for (const path of filter === 'prompt' ? [BRAND] : [BRAND, PROMPT])
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
                  (['summary', 'engines'].includes(id) &&
                    filter === 'engine' &&
                    value.split(',').includes(given!)),
              );
              filtered.add(read);
            } else if (read === 'fact-check' || (BY_PROMPT.includes(read) && filter !== 'region')) continue;
            else expect(about, `${id} ${element.field}`).to.match(new RegExp(`of all .*${noun}`));
          }
        expect([...filtered]).to.include.members(['overview', 'competitors', 'sources', 'urls']);
        if (path === BRAND) expect([...filtered]).to.include('history');
      });

  it('the filters of a page leave the rows of other prompts out', async () => {
    const [all, tagged] = await Promise.all(
      ['', '&tag=price'].map(async (query) => {
        const html = await visitor.html(`${BRAND}?days=14${query}`);
        const rows = html.split('id="absent"')[1]!.split('</section>')[0]!;
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

  it('the filters of a page are chips, each of which leads to the page without its value', async () => {
    const html = await visitor.html(`${BRAND}?days=14&engine=chatgpt&engine=grok&tag=price`);
    const chips = [...html.matchAll(/<a class="chip" href="([^"]*)">(.*?)<\/a>/g)].map(
      ([, href, words]) =>
        `${words!.replaceAll(/<[^>]*>|×/g, '').trim()} → ${href!.replaceAll('&amp;', '&')}`,
    );
    const to = `../brands/${demoBrandId}`;
    expect(chips).to.deep.equal([
      `Remove: Last 14 days → ${to}?engine=chatgpt,grok&tag=price`,
      `Remove: Engine: ChatGPT → ${to}?days=14&engine=grok&tag=price`,
      `Remove: Engine: Grok → ${to}?days=14&engine=chatgpt&tag=price`,
      `Remove: Tag: price → ${to}?days=14&engine=chatgpt,grok`,
    ]);
    expect(html).to.contain(`<a href="${to}">Remove all</a>`);
    expect(await visitor.html(BRAND)).to.not.contain('class="chip"');
  });

  it('the filters of a page are set by the topic and the tags of a prompt, on both pages', async () => {
    for (const path of [BRAND, PROMPT]) {
      const html = await visitor.html(`${path}?days=14&region=us`);
      const up = path === BRAND ? '../' : '../../../';
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

  it('each block has the bytes of the API as JSON and CSV', async () => {
    for (const [path, least] of [
      [`${BRAND}?days=14&engine=chatgpt,grok&tag=price`, 8],
      [`${PROMPT}?days=14&region=us`, 4],
    ] as const) {
      const blocks = blocksOf(await visitor.html(path));
      let compared = 0;
      for (const { id, html } of blocks) {
        const [section] = elementsOf(html);
        const source = attribute(section!.attributes, 'data-source');
        const links = [...elementsOf(html)]
          .filter(({ attributes }) => /\.(json|csv)\?/.test(attributes))
          .map(({ attributes }) => new URL(attribute(attributes, 'href')!, `${server.url}${path}`));
        // They are made of several reads.
        if (['summary', 'actions', 'engines', 'gaps'].includes(id)) continue;
        expect(links, id).to.have.length(2);
        for (const [link, type] of [
          [links[0]!, 'application/json'],
          [links[1]!, 'text/csv'],
        ] as const) {
          later();
          const file = await visitor.get(link.pathname + link.search);
          const api = await server.request(source!.replace(/&limit=\d+/, ''), OPERATOR_KEY, {
            headers: { Accept: type },
          });
          expect([file.status, api.status], link.href).to.deep.equal([200, 200]);
          expect(await file.text(), link.href).to.equal(await api.text());
          expect(file.headers.get('content-type')).to.equal(api.headers.get('content-type'));
          compared++;
        }
      }
      expect(compared, path).to.be.at.least(2 * least);
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
