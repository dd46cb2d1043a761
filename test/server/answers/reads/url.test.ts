import { expect } from 'chai';
import type { CitedPage } from '../../../../src/contract/reads/url.js';
import type { CitedUrl } from '../../../../src/contract/reads/urls.js';
import { fresh } from '../../../support/hooks.js';
import { OPERATOR_KEY } from '../../../support/server.js';
import { at, marketServer, runOf } from './support/market-server.js';

const GUIDE = 'https://guide.example/best';
const citing = (...urls: string[]) => ({
  citations: urls.map((each) => ({ url: each, title: 'The guide' })),
});
const naming = (...names: string[]) => ({
  mentions: names.map((name, place) => ({ name, order: place + 1 })),
});

describe('read: url, one cited page', () => {
  const server = fresh(marketServer);
  const page = (address: string, query = '') =>
    server.body<CitedPage & { note: string | null }>('url', `&url=${encodeURIComponent(address)}${query}`);

  const some = () =>
    server.collect(
      runOf('r1', { ...citing(GUIDE, `${GUIDE}?utm_source=x`), ...naming('Acme', 'Globex') }),
      runOf('r2', {
        ...citing(`${GUIDE}?utm_medium=y#part`),
        ...naming('Globex'),
        prompt: 'q',
        region: 'de',
      }),
      runOf('r3', { ...citing('https://guide.example/other'), ...naming('Acme') }),
      runOf('r4', { ...citing(GUIDE), engine: 'perplexity', ...naming('Nobody') }),
      runOf('r5', { ...citing(GUIDE), engine: 'llama', ...naming('Acme') }),
      runOf('old', { ...citing(GUIDE), ...at('2026-10-01') }),
    );

  it('states which prompts and engines cite it, whom these answers name, and since when', async () => {
    await some();
    const body = await page(GUIDE);
    expect(body.page).to.include({
      url: GUIDE,
      domain: 'guide.example',
      title: 'The guide',
      first_cited: '2026-10-01',
    });
    expect(body).to.include({ answers: 3, run_count: 4, share: 0.75, fetches: null, note: null });
    expect(body.prompts.map((row) => [row.prompt_id, row.answers, row.run_count, row.share])).to.deep.equal([
      ['p', 2, 3, 0.667],
      ['q', 1, 1, 1],
    ]);
    expect(body.prompts[0]!.interval).to.deep.equal([0.208, 0.939]);
    expect(body.engines.map((row) => [row.engine, row.answers, row.run_count])).to.deep.equal([
      ['chatgpt', 2, 3],
      ['perplexity', 1, 1],
    ]);
    expect(body.names).to.deep.equal([
      { id: 'b', name: 'Acme', is_brand: true, answers: 1 },
      { id: 'c', name: 'Globex', is_brand: false, answers: 2 },
    ]);
  });

  it('is the same page in every spelling, and in every slice what the list of pages has', async () => {
    await some();
    const plain = await page(GUIDE);
    expect(await page('HTTPS://GUIDE.example:443/./best?utm_source=z#end')).to.deep.equal(plain);
    for (const query of ['', '&engine=llama', '&prompt=q', '&region=de', '&engine=chatgpt', '&days=90']) {
      const { urls } = await server.body<{ urls: CitedUrl[] }>('urls', query);
      const row = urls.find((each) => each.url === GUIDE)!;
      const one = await page(GUIDE, query);
      expect(one.answers, query).to.equal(row.answers);
      expect(one.page.title, query).to.equal(row.title);
      expect(new Set(one.engines.map(({ engine }) => engine)), query).to.deep.equal(new Set(row.engines));
      for (const rows of [one.prompts, one.engines])
        expect(
          rows.reduce((sum, { answers }) => sum + answers, 0),
          query,
        ).to.equal(one.answers);
    }
  });

  it('compares the share with the window before, with a verdict', async () => {
    const days = Array.from({ length: 14 }, (_, ago) =>
      new Date(Date.UTC(2026, 10, 20 - ago)).toISOString().slice(0, 10),
    );
    await server.collect(
      ...days.flatMap((day, ago) =>
        Array.from({ length: 20 }, (_, i) =>
          runOf(`${day}-${i}`, {
            ...at(day),
            ...citing(i < (ago < 7 ? 12 + (ago % 2) : 2 + (ago % 2)) ? GUIDE : 'https://a.example/'),
          }),
        ),
      ),
    );
    const { share, interval, change } = await page(GUIDE);
    expect(change).to.include({ verdict: 'up', reason: null, previous: 0.129 });
    expect(change.difference).to.be.closeTo(share! - change.previous!, 0.0011);
    expect(interval![0]).to.be.below(share!);
    expect((await page(GUIDE, '&days=1')).change).to.include({ verdict: 'unknown' });
  });

  it('is 0, and no error, of a page that no answer cites; null of a window without answers', async () => {
    await some();
    const none = await page('https://nobody.example/');
    expect(none).to.include({
      answers: 0,
      share: 0,
      run_count: 4,
      note: 'No stored answer ever cited this page.',
    });
    expect(none.page).to.include({ first_cited: null, title: null, page_type: null });
    expect([none.prompts, none.engines]).to.deep.equal([[], []]);
    expect(none.names).to.deep.equal([{ id: 'b', name: 'Acme', is_brand: true, answers: 0 }]);
    const empty = await page(GUIDE, '&from=2026-11-01&to=2026-11-02');
    expect(empty).to.include({ answers: null, share: null, run_count: 0, measured: null });
    expect(empty.names).to.deep.equal([]);
  });

  it('counts what crawlers fetched of the brand’s own pages, where logs cover the window', async () => {
    const own = 'https://www.acme.com/guide';
    const hit = (day: string, path = '/guide') => ({
      ...{ type: 'crawler_event', brand: 'b', agent: 'gptbot', path, status: 200 },
      time: `${day}T08:00:00Z`,
    });
    await server.collect(runOf('r1', citing(own, GUIDE)), hit('2026-11-10'));
    expect((await page(own)).fetches).to.equal(null);
    await server.load([hit('2026-11-19'), hit('2026-11-20', '/other')]);
    expect((await page(own)).fetches).to.deep.equal({
      requests: 1,
      last_fetched: '2026-11-19T08:00:00.000Z',
    });
    expect((await page('https://acme.com/never')).fetches).to.deep.equal({ requests: 0, last_fetched: null });
    expect((await page(GUIDE)).fetches).to.equal(null);
  });

  it('refuses what is no address of a page, and wrong choices', async () => {
    await some();
    for (const wrong of ['guide.example', 'ftp://guide.example/', 'not a page', 'https://'])
      expect(await server.refused('url', `&url=${encodeURIComponent(wrong)}`)).to.equal(
        `Invalid url: ${wrong}. Give the address of a page with https://, such as https://example.com/guide.`,
      );
    expect(await server.refused('url', '&url=https%3A%2F%2Fa.example%2F%00')).to.match(/^Invalid url/);
    expect(await server.refused('url', '')).to.match(/url/);
    expect(await server.refused('url', `&url=${GUIDE}&region=mars`)).to.match(/^Unknown region: mars/);
  });

  it('comes as CSV with a line for each prompt', async () => {
    await some();
    server.pass();
    const reply = await server.request(`/api/v1/url?brand=b&url=${GUIDE}`, OPERATOR_KEY, {
      headers: { Accept: 'text/csv' },
    });
    expect((await reply.text()).split('\n').slice(0, 2)).to.deep.equal([
      'prompt_id,prompt,answers,run_count,share,interval,interval.lower,interval.upper',
      'p,best crm?,2,3,0.667,"[0.208,0.939]",0.208,0.939',
    ]);
  });
});
