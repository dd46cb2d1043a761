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

  const pages: Record<string, { least: number; of: ReadName[] }> = {
    [`/brands/${demoBrandId}`]: {
      least: 250,
      of: [
        'overview',
        'why',
        'history',
        'competitors',
        'content-coverage',
        'prompts',
        'sources',
        'urls',
        'sentiment',
        'gaps',
        'crawlers',
      ],
    },
    [`/brands/${demoBrandId}?days=7&engine=chatgpt`]: { least: 150, of: [...SLICED, 'history', 'sentiment'] },
    [`/brands/${demoBrandId}?days=56&engine=claude,llama`]: { least: 150, of: [...SLICED, 'history'] },
    [`/brands/${demoBrandId}?from=2026-11-10&to=2026-11-19`]: { least: 150, of: [...SLICED, 'history'] },
    [`/brands/${demoBrandId}/prompts/p01`]: {
      least: 60,
      of: ['overview', 'competitors', 'sources', 'urls', 'answers', 'fanouts'],
    },
    [`/brands/${demoBrandId}/answers/2026-11-20.perplexity.p22.us`]: { least: 4, of: ['answer'] },
    [`/brands/${demoBrandId}/sources/youtube.com?days=14`]: { least: 10, of: ['sources', 'urls'] },
    [`/brands/${demoBrandId}/competitors/lanzaro?engine=chatgpt`]: {
      least: 20,
      of: ['competitors', 'history'],
    },
    [`/brands/${demoBrandId}/engines/grok?days=7`]: {
      least: 60,
      of: ['overview', 'history', 'competitors', 'prompts', 'sources', 'urls'],
    },
    [`/brands/${demoBrandId}/prompts/p16?from=2026-11-14&to=2026-11-18&engine=chatgpt`]: {
      least: 40,
      of: ['overview', 'competitors', 'sources', 'answers'],
    },
    [`/brands/${crowdedId}?days=28`]: { least: 400, of: ['overview', 'history', 'competitors', 'prompts'] },
    [`/brands/${newId}`]: { least: 20, of: ['overview', 'history', 'prompts', 'urls'] },
    '/brands': { least: 1, of: ['overview'] },
  };

  for (const [path, { least, of }] of Object.entries(pages)) {
    it(path, async () => {
      const found = dataOf(await visitor.html(path));
      for (const each of found) await numbers.expectTrue(each);
      expect(found.length).to.be.at.least(least);
      expect([...new Set(found.map(({ field }) => readOf(field)))]).to.include.members(of);
    });
  }

  it('with an engine filter, no block shows what other engines cite or search for', async () => {
    for (const path of [`/brands/${demoBrandId}`, `/brands/${demoBrandId}/prompts/p01`]) {
      const fields = dataOf(await visitor.html(`${path}?days=7&engine=grok`)).map(({ field }) =>
        readOf(field),
      );
      expect(fields, path).to.include('sources').and.not.include.members(['content-coverage']);
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
      expect((await visitor.html(`/brands/${demoBrandId}${query}`)).includes(wrong), query).to.equal(isShown);
  });

  it('every block whose read can be sliced is about the window and the engines of the page', async () => {
    const path = `/brands/${demoBrandId}`;
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
        expect(
          [query.get('from'), query.get('to'), query.get('engine') ?? undefined],
          `${page} ${field}`,
        ).to.deep.equal([from, to, engine]);
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
        .filter(({ name, attributes }) => name === 'a' && !/class="(chip|label)"|Remove all/.test(attributes))
        .map(({ attributes }) => attribute(attributes, 'href') ?? '')
        .filter(
          (href) =>
            /\/prompts\/|brands\/\w+(\?|$)/.test(href) && !/^https?:|\?$|brands\/torvello$/.test(href),
        );
      expect(links.length, query).to.be.greaterThan(5);
      for (const href of links)
        expect(href).to.match(new RegExp(`\\?${kept.replace('?', '')}(&prompt=[^&]+)?$`));
    }
  });

  it('what was not measured is a dash with that title, and not a number', async () => {
    const html = await visitor.html('/brands/aerisvane?days=7');
    expect(dataOf(html).filter(({ field }) => /^overview\.(?!run_count)/.test(field))).to.deep.equal([]);
    expect(html).to.contain('<abbr title="not measured">—</abbr>').and.contain('This brand is archived');
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
    expect(file).to.equal(rows);
    expect(file.trim().split('\n').length).to.equal(1 + 7 * body.series.length);
    for (const header of ['content-type', 'etag'])
      expect(csv.headers.get(header), header).to.equal(ofRead.headers.get(header));
  });

  it('is at most 150 kB, with fifty competitors and five hundred prompts too', async () => {
    for (const path of [
      `${demoBrandId}?days=56`,
      `${crowdedId}?days=56`,
      `${crowdedId}?from=2025-11-20&to=2026-11-20`,
    ])
      expect(Buffer.byteLength(await visitor.html(`/brands/${path}`)), path).to.be.below(150_000);
  });

  it('shows twelve competitors, and folds the others', async () => {
    const html = await visitor.html(`/brands/${crowdedId}`);
    const [first = '', more = ''] = html
      .split('id="competitors"')[1]!
      .split('</section>')[0]!
      .split('<details');
    expect(first.match(/<tr/g)!.length).to.be.within(1 + 12, 1 + 13);
    expect(more.match(/<tr/g)!.length).to.be.within(1 + 17, 1 + 18);
    expect(first).to.contain('<tr class="own">');
  });

  it('counts crawlers that never came instead of rows of zeros, but for those that robots.txt keeps out', async () => {
    const html = await visitor.html(`/brands/${demoBrandId}`);
    const block = html.split('id="crawlers"')[1]!.split('</section>')[0]!;
    const rows = block.split('<tbody>')[1]!.split('<tr>').slice(1);
    const quiet = rows.filter((row) => /value="0" data-field="crawlers\.[^"]*\.hits"/.test(row));
    for (const row of quiet) expect(row).to.contain('blocked');
    const { agents } = await server.read<{ agents: object[] }>(
      `/api/v1/crawlers?brand=${demoBrandId}&from=2026-10-24&to=2026-11-20`,
    );
    expect(rows.length).to.be.within(5, 12);
    expect(block).to.contain(`${agents.length - rows.length} others: no visits.`);
  });

  it('states the reason of unknown changes once', async () => {
    const html = await visitor.html(`/brands/${newId}`);
    const scorecard = html.split('id="scorecard"')[1]!.split('</section>')[0]!;
    expect(scorecard.match(/change unknown/g)).to.have.length(5);
    const reasons = [...scorecard.matchAll(/<li>(Change[^<]*)/g)].map(([, reason]) => reason);
    expect(reasons).to.not.be.empty;
    expect(new Set(reasons).size).to.equal(reasons.length);
  });
});
