import { expect } from 'chai';
import fc from 'fast-check';
import { ZodError } from 'zod';
import {
  capabilityOf,
  type ProviderName,
  providerNames,
  providerTable,
} from '../../../src/collect/protocols/capabilities.js';
import { countries, languageOf, placeOf } from '../../../src/collect/protocols/countries.js';
import { providers } from '../../../src/collect/protocols/index.js';
import { type Progress, type Question, visible } from '../../../src/collect/protocols/provider.js';
import { type EngineId, engines } from '../../../src/contract/engines.js';
import type { RecordOf } from '../../../src/server/intake/dataset/records/index.js';
import { CollectFolder } from '../support/collecting.js';
import { plan, shownTarget, subject } from '../support/plans.js';
import type { Seen } from '../support/provider-forms.js';
import { type StandIn, standIn } from '../support/stand-in.js';

const pairs = providerNames.flatMap((provider) =>
  engines.flatMap(({ id }) => (capabilityOf(provider, id) ? [[provider, id] as const] : [])),
);

/** The form that a pair has, and what its account needs. */
const settingsOf = (provider: ProviderName, engine: EngineId) => {
  const live = capabilityOf(provider, engine)!.usd.queued === undefined;
  return { live, zone: provider === 'brightdata' && engine === 'aio' ? 'zone1' : null };
};

const SHOWN: Seen = {
  text: 'Stride and Fleetfoot are fine.',
  cited: [
    { url: 'https://a.example/1', title: 'One' },
    { url: 'https://b.example/2', title: 'Two' },
  ],
  related: ['https://related.example/'],
  searches: ['shoes 2026'],
  products: [{ title: 'Fleetfoot Trail', price: '$1,099.50', store: 'Shop' }],
  ad: { brand: 'Stride', url: 'https://stride.example/ad', cards: ['Sale'] },
};

describe('providers', () => {
  let provider: StandIn;
  let folder: CollectFolder;
  const begin = async (name: ProviderName) => {
    provider = await standIn(name);
    folder = new CollectFolder();
  };
  afterEach(async () => {
    folder?.remove();
    await provider?.close();
  });
  const targetOf = (name: ProviderName, engine: EngineId, changed = {}) =>
    shownTarget(provider.url, name, engine, { provider: { ...settingsOf(name, engine), ...changed } });

  /** The run that a pair makes of what the engine shows. */
  async function runOf(name: ProviderName, engine: EngineId, seen: Seen): Promise<RecordOf<'run'>> {
    await begin(name);
    provider.show = () => seen;
    const { problems } = await folder.collect({ plan: plan([targetOf(name, engine)]), subject: subject(1) });
    expect(problems).to.deep.equal([]);
    const [run] = folder.runs();
    folder.remove();
    await provider.close();
    return run!;
  }

  for (const [name, engine] of pairs) {
    it(`${name} states of ${engine} what the table says, and cites nothing that is only related`, async () => {
      const row = capabilityOf(name, engine)!;
      const run = await runOf(name, engine, SHOWN);
      expect(run.surface).to.equal(row.surface);
      expect(run.answer).to.equal(SHOWN.text);
      expect(run.citations).to.deep.equal(SHOWN.cited);
      expect(run.fanouts).to.deep.equal(row.searches === 'never' ? undefined : ['shoes 2026']);
      const observes = (['ads', 'carousels'] as const).filter((each) => row[each] !== 'never');
      expect(run.observes ?? []).to.deep.equal(observes);
      const placement = {
        slot: 1,
        product: 'Fleetfoot Trail',
        url: 'https://shop.example/Fleetfoot%20Trail',
        merchant: 'Shop',
      };
      const price = { price: '$1,099.50', price_amount: 1099.5, currency: 'USD' };
      const shown = row.carousels === 'never' ? undefined : [{ placements: [{ ...placement, ...price }] }];
      expect(
        run.carousels?.map(({ placements }) => ({
          placements: placements.map((each) => ({
            ...each,
            ...(name === 'cloro' && engine !== 'chatgpt' ? { price_amount: 1099.5 } : {}),
          })),
        })),
      ).to.deep.equal(shown);
      expect(run.ad?.advertiser).to.equal(row.ads === 'never' ? undefined : 'Stride');
      expect(run.ad?.cards?.map(({ title }) => title)).to.deep.equal(
        row.ads === 'never' ? undefined : ['Sale'],
      );
    });

    if (capabilityOf(name, engine)!.surface === 'serp') {
      it(`${name}: a search without an overview is a run of ${engine} where nothing was shown`, async () => {
        const run = await runOf(name, engine, {});
        expect(run).to.deep.include({ outcome: 'not_shown', surface: 'serp', mentions: [], citations: [] });
        expect(run).not.to.have.any.keys('answer', 'fanouts', 'carousels', 'ad');
      });
    }
  }

  it('make equal runs of the same answer, apart from what their rows differ in', async () => {
    for (const { id } of engines) {
      const own = pairs.filter(([, engine]) => engine === id);
      const runs = [];
      for (const [name, engine] of own)
        runs.push(await runOf(name, engine, { ...SHOWN, products: [], ad: undefined as never }));
      const comparable = runs.map(({ collected_at: _, model: _m, observes: _o, fanouts: _f, ...run }) => run);
      for (const run of comparable) expect(run).to.deep.equal(comparable[0]);
    }
  });

  it('serpapi: an overview behind a token takes a second search, which is paid and noted', async () => {
    await begin('serpapi');
    provider.show = () => ({ ...SHOWN, second: true });
    const { targets, spent } = await folder.collect({
      plan: plan([targetOf('serpapi', 'aio')]),
      subject: subject(1),
      maxUsd: 1,
    });
    expect(targets[0]).to.deep.include({ answered: 1, calls: 1, cost_usd: 0.02 });
    expect(spent.usd).to.equal(0.02);
    expect(provider.ledger.get('Question 1?')).to.equal(2);
    const handles = folder.lines(`${folder.out}.journal`).filter((line) => line.includes('"handle"'));
    expect(handles).to.have.length(2);
  });

  it('serpapi: the key is in no file, error or result', async () => {
    await begin('serpapi');
    const key = 'very/secret-key+of=tests';
    provider.before = ({ path }, response) => {
      if (provider.exchanges.length > 1) return false;
      return !!response.writeHead(400).end(JSON.stringify({ error: `Bad request ${path} ${key}` }));
    };
    provider.change = (body, { path }) => ({ ...(body as object), echo: path });
    const rawFolder = `${folder.path}/raw`;
    const result = await folder.collect({ plan: plan([targetOf('serpapi', 'aimode')]), key, rawFolder });
    const { readdirSync, readFileSync } = await import('node:fs');
    const written = readdirSync(folder.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'));
    expect(written.length).to.be.above(3);
    for (const text of [...written, JSON.stringify(result)]) expect(text).not.to.match(/very.{0,3}secret/);
    expect(provider.exchanges[0]!.path).to.include('api_key=very%2Fsecret');
  });

  it('dataforseo: characters that are decoded on the other side arrive as they were', async () => {
    await begin('dataforseo');
    const own = subject(1);
    const [prompt] = own.prompts;
    const text = '100% of C++ shoes?';
    await folder.collect({
      plan: plan([targetOf('dataforseo', 'chatgpt')]),
      subject: { ...own, prompts: [{ ...prompt!, text }] },
      key: 'me:secret-password-1',
    });
    expect([...provider.ledger.keys()]).to.deep.equal([text]);
    const [{ body, headers }] = provider.exchanges as [(typeof provider.exchanges)[number]];
    expect((body as object[])[0]).to.deep.include({
      location_code: 2840,
      language_code: 'en',
      force_web_search: true,
    });
    expect(headers.authorization).to.equal(`Basic ${Buffer.from('me:secret-password-1').toString('base64')}`);
  });

  it('dataforseo: what a status inside of a 200 means', async () => {
    const cases = [
      [40_202, { waiting: 1, calls: 0 }, 'rate_limit'],
      [40_210, { waiting: 1, calls: 0 }, 'credit'],
      [40_100, { waiting: 1, calls: 0 }, 'key'],
      [40_501, { waiting: 1, calls: 0 }, 'request'],
      [40_101, { failed: 1, calls: 1, cost_usd: 0.002 }, 'engine'],
    ] as const;
    for (const [code, tally, cause] of cases) {
      await begin('dataforseo');
      const cost = code === 40_101 ? 0.002 : 0;
      provider.change = (_, { isPaid }) =>
        isPaid ? { status_code: 20_000, tasks: [{ status_code: code, status_message: 'No', cost }] } : {};
      const stop = code === 40_202 ? AbortSignal.timeout(200) : undefined;
      const { targets, problems } = await folder.collect({
        plan: plan([targetOf('dataforseo', 'aimode')]),
        subject: subject(1),
        ...(stop && { stop }),
      });
      expect(targets[0], String(code)).to.deep.include(tally);
      if (!stop) expect(problems[0], String(code)).to.deep.include({ cause });
      folder.remove();
      await provider.close();
    }
  });

  it('dataforseo: an overview that was not loaded is no search without one', async () => {
    await begin('dataforseo');
    provider.change = (body) => {
      const text = JSON.stringify(body)
        .replace(/"markdown":"[^"]*",?/g, '')
        .replace(/"text":"[^"]*",?/g, '');
      return JSON.parse(
        text.replace('"type":"ai_overview",', '"type":"ai_overview","asynchronous_ai_overview":true,'),
      );
    };
    const { targets } = await folder.collect({
      plan: plan([targetOf('dataforseo', 'aio')]),
      subject: subject(1),
    });
    expect(targets[0]).to.deep.include({ malformed: 1, not_shown: 0 });
  });

  it('an advertiser has one name by every provider, so that it counts as one', async () => {
    const names = new Set<string | null | undefined>();
    for (const name of ['cloro', 'dataforseo'] as const) {
      const { ad } = await runOf(name, 'chatgpt', SHOWN);
      names.add(ad?.advertiser);
      expect(ad?.advertiser_url, name).to.equal(SHOWN.ad!.url);
      folder.remove();
      await provider.close();
    }
    expect([...names]).to.deep.equal(['Stride']);
  });

  it('only advertisements that were shown count', async () => {
    await begin('dataforseo');
    provider.show = () => SHOWN;
    provider.change = (body) =>
      JSON.parse(JSON.stringify(body).replace('"is_rendered":true', '"is_rendered":false'));
    await folder.collect({ plan: plan([targetOf('dataforseo', 'chatgpt')]), subject: subject(1) });
    const [run] = folder.runs();
    expect(run!.observes).to.include('ads');
    expect(run!.ad).to.equal(undefined);
  });

  it('a live call has its answer at once, and its handle if it takes longer', async () => {
    for (const queued of [0, 2]) {
      for (const name of ['dataforseo', 'brightdata', 'serpapi'] as const) {
        await begin(name);
        provider.queued = queued;
        const { targets } = await folder.collect({
          plan: plan([targetOf(name, 'aimode', { live: true })]),
          subject: subject(1),
        });
        expect(targets[0], name).to.deep.include({ answered: 1, calls: 1 });
        folder.remove();
        await provider.close();
      }
    }
  });

  it('serpapi: live searches ask for no cache, queued ones for a name', async () => {
    for (const live of [true, false]) {
      await begin('serpapi');
      await folder.collect({ plan: plan([targetOf('serpapi', 'aimode', { live })]), subject: subject(1) });
      expect(provider.exchanges[0]!.path)
        .to.include(live ? 'no_cache=true' : 'async=true')
        .and.not.to.include(live ? 'async' : 'no_cache');
      folder.remove();
      await provider.close();
    }
  });

  const anyJson = fc.jsonValue({ maxDepth: 5 });
  const FIELDS = [
    'task',
    'id',
    'status',
    'COMPLETED',
    'response',
    'result',
    'text',
    'markdown',
    'sources',
    'url',
    'tasks',
    'status_code',
    'items',
    'type',
    'ai_overview',
    'aioverview',
    'snapshot_id',
    'search_metadata',
    'Success',
    'text_blocks',
    'references',
    'answer_text',
    'citations',
    'shopping',
    'ads',
    'shoppingCards',
    'error',
    'page_token',
  ];
  /** Bodies of the providers' own fields with any values. */
  const hostile = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(
        ...FIELDS,
        ...[20_000, 20_100, 'a/../b?c#d', 'é '],
        null,
        true,
        -1,
        '',
        '\u0000',
        '\ud800',
        'x'.repeat(300),
      ),
      fc.dictionary(fc.constantFrom(...FIELDS), tie('value'), { maxKeys: 6 }),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  })).value;

  for (const [name, engine] of pairs) {
    it(`${name}, ${engine}: any body is progress, or another shape`, () => {
      const question: Question = {
        ...{ engine, row: capabilityOf(name, engine)!, id: 'i', key: null },
        input: { prompt: 'p', search: true, maxSearches: null, country: 'US' },
        settings: { live: false, waitMinutes: 1, language: 'en', zone: null, dataset: null },
      };
      const handles = {
        cloro: ['t'],
        dataforseo: ['{"id":"t","cost":1}', '{"since":"2026-11-20T00:00:00Z"}'],
        brightdata: ['{"id":"t","isReady":false}', '{"id":"t","isReady":true}'],
        serpapi: ['{"id":"t"}', '{"token":"t"}'],
      }[name];
      const read = (parse: () => Progress) => {
        try {
          const step = parse();
          // What names a result is always an address.
          if (step.kind === 'next')
            expect(providers[name].fetch(step.handle, question).path).to.match(/^\/[\x21-\x7e]+$/);
          expect(step).to.have.property('kind');
        } catch (error) {
          expect(error).to.be.instanceOf(ZodError);
        }
      };
      fc.assert(
        fc.property(fc.oneof(hostile, anyJson), fc.boolean(), (body, live) => {
          const asked = { ...question, settings: { ...question.settings, live } };
          read(() => providers[name].submitted(body, asked));
          for (const handle of handles) read(() => providers[name].fetched(body, handle, asked));
        }),
        { numRuns: 300 },
      );
    });
  }

  it('an id that cannot be a part of an address is another shape, and nothing is fetched by it', () => {
    for (const id of ['', 'a/../../b', 'a?b', '\ud800', 'a b', 'x'.repeat(201)]) {
      const bodies = {
        cloro: { task: { id } },
        brightdata: { snapshot_id: id },
        serpapi: { search_metadata: { id } },
      };
      const tasks = { status_code: 20_000, tasks: [{ status_code: 20_100, id }] };
      for (const [name, body] of Object.entries({ ...bodies, dataforseo: tasks })) {
        const row = capabilityOf(name as ProviderName, 'aimode');
        const question = { engine: 'aimode', row, settings: {} } as Question;
        let kind = 'failed';
        try {
          ({ kind } = providers[name as ProviderName].submitted(body, question));
        } catch (error) {
          expect(error).to.be.instanceOf(ZodError);
        }
        expect(kind, `${name} ${id}`).to.equal('failed');
      }
    }
  });

  it('the words of Markdown are those that a person sees', () => {
    expect(visible('a [b](https://c.example/d) ![e](https://f) g')).to.equal('a b  g');
    expect(visible('a [chip](u) [b](v)', (label) => label === 'b')).to.equal('a  b');
    expect(visible('[x](https://w.example/A_(b))')).to.include('x');
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => visible(text).length <= text.length));
    const started = process.cpuUsage().user;
    visible('['.repeat(100_000));
    visible('![]('.repeat(50_000));
    expect(process.cpuUsage().user - started).to.be.below(5e6);
  });

  it('every country has a place of its own and a language', () => {
    const places = countries.map((country) => placeOf(country)!);
    expect(new Set(places).size).to.equal(countries.length);
    expect([placeOf('us'), placeOf('DE'), placeOf('GB'), placeOf('XX')]).to.deep.equal([
      2840,
      2276,
      2826,
      undefined,
    ]);
    for (const country of countries) {
      expect(languageOf(country), country).to.match(/^[a-z]{2}(?:-[A-Z]{2})?$/);
      expect(new Intl.DisplayNames(['en'], { type: 'region' }).of(country)).not.to.equal(country);
    }
    expect(['US', 'DE', 'JP', 'BR', 'TW'].map(languageOf)).to.deep.equal(['en', 'de', 'ja', 'pt', 'zh-TW']);
  });

  it('every row has a price in a form, and every provider an address', () => {
    for (const [name, engine] of pairs)
      expect(Object.keys(capabilityOf(name, engine)!.usd), `${name} ${engine}`).not.to.be.empty;
    for (const name of providerNames) expect(providerTable[name].baseUrl).to.match(/^https:\/\/[^/]+/);
  });
});
