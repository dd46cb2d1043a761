import { expect } from 'chai';
import type { ReadName } from '../../../../src/contract/registry.js';
import { demoBrandId } from '../../../../src/demo/data/index.js';
import { shared } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { type ApiNumbers, apiNumbers, readOf } from './support/api-numbers.js';
import { attribute, dataOf, elementsOf } from './support/data-elements.js';
import { demoWithOddMarket } from './support/demo.js';
import { crowdedId, newId } from './support/odd-market.js';
import { signIn, type Visitor } from './support/visitor.js';

/** The reads that a page slices, of which it shows numbers. */
const SLICED = ['overview', 'competitors', 'prompts', 'sources', 'urls'] as const;

describe('every number of the page is that of the API', () => {
  let visitor: Visitor;
  let numbers: ApiNumbers;
  const server = shared(demoWithOddMarket);
  before(async () => {
    numbers = apiNumbers(server);
    visitor = await signIn(server, OPERATOR_KEY);
  });
  beforeEach(() => {
    server.now = new Date(server.now.getTime() + 60_000);
  });

  const BRAND = `/brands/${demoBrandId}`;
  const pages: Record<string, { least: number; of: ReadName[] }> = {
    [`${BRAND}?days=7`]: { least: 50, of: ['overview', 'why', 'competitors', 'briefing'] },
    [BRAND]: { least: 50, of: ['overview', 'competitors', 'briefing'] },
    [`${BRAND}?by=topic&metric=share_of_voice_fraction&days=7`]: { least: 40, of: ['overview', 'why'] },
    [`${BRAND}?by=prompt&metric=sentiment_index&days=7`]: { least: 40, of: ['overview', 'why'] },
    [`${BRAND}?days=7&engine=chatgpt`]: { least: 35, of: ['overview', 'why', 'competitors'] },
    [`${BRAND}?days=56&engine=claude,llama`]: { least: 20, of: ['overview', 'competitors'] },
    [`${BRAND}?from=2026-11-10&to=2026-11-19`]: { least: 30, of: ['overview', 'competitors'] },
    [`${BRAND}/prompts`]: { least: 100, of: ['prompts', 'gaps', 'fanouts'] },
    [`${BRAND}/prompts?sort=worth&engine=chatgpt`]: { least: 60, of: ['prompts', 'gaps'] },
    [`${BRAND}/sources`]: { least: 150, of: ['gaps', 'sources', 'urls'] },
    [`${BRAND}/competitors?sort=visibility`]: { least: 30, of: ['competitors'] },
    [`${BRAND}/facts`]: { least: 1, of: ['fact-check'] },
    [`${BRAND}/needs`]: { least: 5, of: ['briefing'] },
    [`${BRAND}/crawlers`]: { least: 20, of: ['crawlers', 'gaps'] },
    [`${BRAND}/shopping`]: { least: 20, of: ['shopping', 'ads'] },
    [`${BRAND}/prompts/p01`]: { least: 60, of: ['overview', 'competitors', 'sources', 'urls', 'fanouts'] },
    [`${BRAND}/answers/2026-11-20.perplexity.p22.us`]: { least: 4, of: ['answer'] },
    [`${BRAND}/sources/youtube.com?days=14`]: { least: 5, of: ['sources', 'urls', 'gaps'] },
    [`${BRAND}/competitors/lanzaro?engine=chatgpt`]: { least: 20, of: ['competitors', 'gaps'] },
    [`/brands/${crowdedId}?days=28`]: { least: 25, of: ['overview', 'competitors'] },
    [`/brands/${crowdedId}/prompts?days=28`]: { least: 100, of: ['prompts'] },
    [`/brands/${newId}`]: { least: 8, of: ['overview'] },
    '/brands': { least: 4, of: ['brands'] },
    [`${BRAND}/names`]: { least: 3, of: ['names'] },
    [`${BRAND}/page?url=${encodeURIComponent('https://torvello.example/products/arco')}`]: {
      least: 7,
      of: ['url'],
    },
    [`${BRAND}/answers?cites=reddit.com`]: { least: 1, of: ['answers'] },
  };

  for (const [path, { least, of }] of Object.entries(pages)) {
    it(path, async () => {
      const found = dataOf(await visitor.html(path));
      for (const each of found) await numbers.expectTrue(each);
      expect(found.length).to.be.at.least(least);
      expect([...new Set(found.map(({ field }) => readOf(field)))]).to.include.members(of);
    });
  }

  it('every head of a table, a tile and a block begins with a capital letter, and states the scale of what has no unit', async () => {
    for (const path of [...Object.keys(pages), `${BRAND}/moves`, `${BRAND}/answers`]) {
      server.now = new Date(server.now.getTime() + 60_000);
      const html = await visitor.html(path);
      const heads = [...html.matchAll(/<(th scope="col"|dt|h2)[^>]*>(.*?)<\/(?:th|dt|h2)>/gs)];
      expect(heads.length, path).to.be.greaterThan(0);
      for (const [, name, inner] of heads) {
        const text = inner!
          .replaceAll(/<div[^>]*popover.*$/gs, '')
          .replaceAll(/<[^>]*>/g, '')
          .trim();
        // The name of a file is as it is.
        expect(text, `${path} ${text}`).to.match(/^(?:[\p{Lu}\p{N}“]|robots\.txt$|$)/u);
        // In a tile it stands after the value.
        if (name !== 'dt') expect(text, path).to.not.match(/^(?:Visibility(?: score)?|Sentiment|Tone)$/);
      }
    }
  });

  it('with an engine filter, no block shows what other engines search for', async () => {
    for (const path of [`${BRAND}/prompts`, `${BRAND}/prompts/p01`]) {
      const fields = dataOf(await visitor.html(`${path}?days=7&engine=grok`)).map(({ field }) =>
        readOf(field),
      );
      expect(fields, path).to.not.include('fanouts');
    }
  });

  it('with an engine filter, no fact check of the answers of other engines is a thing to do', async () => {
    const wrong = 'An answer of Perplexity is wrong';
    for (const [query, isShown] of [
      ['', true],
      ['?engine=perplexity,grok', true],
      ['?engine=grok', false],
    ] as const)
      expect((await visitor.html(`${BRAND}${query}`)).includes(wrong), query).to.equal(isShown);
  });

  it('every block whose read can be sliced is about the window and the engines of the page', async () => {
    const path = BRAND;
    for (const [page, from, to, engine] of [
      [`${path}?days=28`, '2026-10-24', '2026-11-20', undefined],
      [`${path}?days=7`, '2026-11-14', '2026-11-20', undefined],
      [
        `${path}?from=2026-11-10&to=2026-11-19&engine=grok,chatgpt`,
        '2026-11-10',
        '2026-11-19',
        'chatgpt,grok',
      ],
      [`${path}/prompts/p01?days=14&engine=gemini`, '2026-11-07', '2026-11-20', 'gemini'],
    ] as const) {
      const found = dataOf(await visitor.html(page));
      const sources = found.filter(({ field }) => SLICED.some((name) => name === readOf(field)));
      expect(sources, page).to.not.be.empty;
      for (const { field, source } of sources) {
        const query = new URLSearchParams(source!.split('?')[1]);
        expect([query.get('from'), query.get('to')], `${page} ${field}`).to.deep.equal([from, to]);
        const given = query.get('engine') ?? undefined;
        // Without a window before, each engine has a read of its own.
        const isOne = field.startsWith('overview.') && (engine?.split(',').includes(given ?? '') ?? true);
        if (!isOne) expect(given, `${page} ${field}`).to.equal(engine);
      }
    }
  });

  it('links and forms keep the window and the engines', async () => {
    const path = `/brands/${demoBrandId}`;
    for (const [query, kept] of [
      ['?days=14&engine=grok,chatgpt', 'days=14&engine=chatgpt,grok'],
      ['?from=2026-11-10&to=2026-11-19', 'from=2026-11-10&to=2026-11-19'],
    ] as const) {
      const html = await visitor.html(path + query);
      const links = [...elementsOf(html)]
        .filter(({ name, attributes }) => name === 'a' && !/class="(chip|label)"/.test(attributes))
        .map(({ attributes }) => attribute(attributes, 'href') ?? '')
        .filter(
          (href) => /\/(prompts|competitors|answers|sources)(\/|\?)/.test(href) && !/^https?:/.test(href),
        );
      expect(links.length, query).to.be.greaterThan(5);
      for (const href of links)
        expect(href).to.match(
          new RegExp(
            `\\?(${kept}|${kept.replace(/&engine.*/, '')}&engine=\\w+)(&(prompt|cites|names|sort|metric)=.*)?$`,
          ),
        );
    }
  });

  it('what was not measured is a dash with that title, and not a number', async () => {
    const html = await visitor.html('/brands/aerisvane?days=7');
    expect(dataOf(html).filter(({ field }) => /^overview\.(?!run_count)/.test(field))).to.deep.equal([]);
    expect(html).to.contain('This brand is archived');
    expect(await visitor.html(`${BRAND}/prompts`)).to.contain('<abbr title="not measured">—</abbr>');
  });

  it('the chart is offered as the same read in JSON and CSV', async () => {
    const query = '?days=7&engine=chatgpt';
    const json = await visitor.get(`/brands/${demoBrandId}/visibility.json${query}`);
    const body = await server.read<{ series: { id: string; points: object[] }[] }>(
      `/api/v1/metrics/history${query}&metric=visibility&competitors=true&brand=${demoBrandId}`,
    );
    expect(await json.json()).to.deep.equal(body);
    const csv = await visitor.get(`/brands/${demoBrandId}/visibility.csv${query}`);
    const ofRead = await server.request(
      `/api/v1/metrics/history${query}&metric=visibility&competitors=true&brand=${demoBrandId}`,
      OPERATOR_KEY,
      { headers: { Accept: 'text/csv' } },
    );
    const [file, rows] = await Promise.all([csv.text(), ofRead.text()]);
    const withoutId = (line: string) => line.replace(/^[^,]*,/, '');
    expect(file).to.equal(rows.split('\n').map(withoutId).join('\n'));
    expect(file.trim().split('\n').length).to.equal(1 + 7 * body.series.length);
    expect(csv.headers.get('content-type')).to.equal(ofRead.headers.get('content-type'));
  });

  it('is at most 60 kB, with fifty competitors and five hundred prompts too', async () => {
    for (const path of [
      `${demoBrandId}?days=56`,
      `${demoBrandId}?days=14&by=prompt`,
      `${crowdedId}?days=56`,
      `${crowdedId}?by=prompt`,
      `${crowdedId}?from=2025-11-20&to=2026-11-20`,
    ])
      expect(Buffer.byteLength(await visitor.html(`/brands/${path}`)), path).to.be.below(60_000);
  });

  it('has at most ninety links', async () => {
    for (const query of ['', '?days=14&by=prompt', '?days=56'])
      expect(
        [...elementsOf(await visitor.html(`${BRAND}${query}`))].filter(({ name }) => name === 'a').length,
        query,
      ).to.be.at.most(90);
  });

  it('shows seven names, always that of the brand, and leads to all', async () => {
    const html = await visitor.html(`/brands/${crowdedId}`);
    const block = html.split('id="competitors"')[1]!.split('</section>')[0]!;
    expect(block.match(/<tr/g)!.length).to.be.within(1 + 7, 1 + 8);
    expect(block)
      .to.contain('<tr class="own">')
      .and.match(/competitors(\?[^"]*)?">All \w+ rivals</);
  });

  it('a difference is that of the two numbers that are shown', async () => {
    const html = await visitor.html(`${BRAND}/competitors?days=7`);
    const rows = [...html.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) => row);
    const { competitors } = await server.read<{
      competitors: {
        id: string;
        share_of_voice_fraction: number;
        change: Record<string, { previous: number }>;
      }[];
    }>(`/api/v1/competitors?brand=${demoBrandId}&from=2026-11-14&to=2026-11-20`);
    let compared = 0;
    for (const { id, share_of_voice_fraction: now, change } of competitors) {
      const row = rows.find((each) => each.includes(`competitors.${id}.share_of_voice_fraction`));
      const shown = /([+−])(\d+\.\d)/.exec(row ?? '');
      if (!shown) continue;
      const difference = (100 * now).toFixed(1) as unknown as number;
      const before = (100 * change.share_of_voice_fraction!.previous).toFixed(1) as unknown as number;
      const signed = Number(`${shown[1] === '−' ? '-' : ''}${shown[2]}`);
      expect(signed, id).to.be.closeTo(difference - before, 1e-9);
      compared++;
    }
    expect(compared).to.be.greaterThan(2);
  });

  it('counts crawlers that never came instead of rows of zeros, but for those that robots.txt keeps out', async () => {
    const html = await visitor.html(`${BRAND}/crawlers`);
    const block = html.split('id="crawlers"')[1]!.split('</section>')[0]!;
    const rows = block.split('<tbody>')[1]!.split('<tr').slice(1);
    const quiet = rows.filter((row) => /value="0" data-field="crawlers\.[^"]*\.hits"/.test(row));
    for (const row of quiet) expect(row).to.contain('disallowed');
    const { agents } = await server.read<{ agents: object[] }>(
      `/api/v1/crawlers?brand=${demoBrandId}&from=2026-10-24&to=2026-11-20`,
    );
    expect(rows.length).to.be.within(5, 12);
    expect(block).to.contain(`${agents.length - rows.length} others: no visits.`);
  });

  it('states the reason of unknown changes once', async () => {
    const html = await visitor.html(`/brands/${newId}`);
    const block = html.split('id="summary"')[1]!.split('</section>')[0]!;
    expect(block.match(/change unknown/g)).to.have.length(4);
    const reasons = [...block.matchAll(/<li>(Change[^<]*)/g)].map(([, reason]) => reason);
    expect(reasons).to.not.be.empty;
    expect(new Set(reasons).size).to.equal(reasons.length);
    // Next to what is not known no bar is drawn.
    expect(html.split('id="why"')[1]!).to.not.contain('class="rail"');
  });
});
