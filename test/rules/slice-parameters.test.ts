import { expect } from 'chai';
import fc from 'fast-check';
import type { Read } from '../../src/contract/read.js';
import { resources } from '../../src/contract/registry.js';
import { runFilterNames } from '../../src/contract/slice.js';
import { addDays } from '../../src/server/base/days.js';
import { pruneRuns } from '../../src/server/intake/storage/prune-runs.js';
import { at, market, marketServer, runOf } from '../server/answers/reads/support/market-server.js';
import { call, textOf } from '../server/web/mcp/support/rpc.js';
import { shared } from '../support/hooks.js';

const TODAY = '2026-11-20';
const ENGINES = 'chatgpt, aio, aimode, copilot, perplexity, gemini, grok, claude, deepseek, llama';

/** The reads with a parameter, and what each requires besides. */
const readsWith = (param: string): string[] =>
  Object.entries<Read>(resources).flatMap(([name, { params, response }]) =>
    param in params && 'slice' in response.fields ? [name] : [],
  );
/** With a parameter of its own, `effect` needs a day, and prompts if the parameter chooses none. */
function required(read: string, param?: string): string {
  if (read === 'effect') {
    const choosesPrompts = param === 'prompt' || param === 'topic' || param === 'tag';
    return `&since=2026-11-10${choosesPrompts ? '' : '&prompt=p'}`;
  }
  return { 'metrics/history': '&metric=visibility', url: '&url=https://acme.com/a' }[read] ?? '';
}

type Body = Record<string, unknown>;

describe('rule: a slice is accepted in its documented forms or refused with a message', () => {
  const server = shared(marketServer);
  before(async () => {
    await server.load([
      ...market.filter((each) => !('id' in each && each.id === 'p')),
      { type: 'topic', id: 'pricing', brand: 'b', name: 'Pricing' },
      { type: 'topic', id: 'empty', brand: 'b', name: 'Empty' },
      { type: 'prompt', id: 'p', brand: 'b', text: 'best crm?', topic: 'pricing', tags: ['crm', 'für KMU'] },
      { type: 'prompt', id: 'old', brand: 'b', text: 'old?', tags: ['gone'], active: false },
      { type: 'brand', id: 'other', workspace: 'w', name: 'Other', domain: 'other.example' },
      { type: 'prompt', id: 'x', brand: 'other', text: 'x?', tags: ['theirs'] },
      runOf('x1', { brand: 'other', prompt: 'x', region: 'jp' }),
      runOf('r1', { mentions: [{ name: 'Acme', order: 1 }], citations: [{ url: 'https://acme.com/a' }] }),
      runOf('r2', { prompt: 'q', engine: 'gemini', region: 'gb' }),
      runOf('r3', { prompt: 'old', engine: 'llama', ...at('2026-11-11') }),
      ...[3, 70, 90].map((days) => runOf(`d${days}`, at(addDays(TODAY, -days)))),
    ]);
  });

  it('the parameters are those of the contract on each read', () => {
    const whole = [
      'briefing',
      'overview',
      'competitors',
      'sources',
      'urls',
      'answers',
      'gaps',
      'why',
      'url',
      'names',
      'metrics/history',
    ];
    expect(readsWith('from')).to.have.members([...whole, 'prompts']);
    expect(readsWith('engine')).to.have.members([...whole, 'prompts', 'effect']);
    for (const name of runFilterNames) expect(readsWith(name)).to.have.members([...whole, 'effect']);
  });

  const refused: [param: string, query: string, words: string][] = [
    ['from', '&from=2026-11-01', 'from=2026-11-01 was given without to. Give both from and to.'],
    ['to', '&to=2026-11-01', 'to=2026-11-01 was given without from. Give both from and to.'],
    [
      'from',
      '&from=2026-11-02&to=2026-11-01',
      'Invalid range: from 2026-11-02 is after to 2026-11-01. Give a from that is not after to.',
    ],
    [
      'from',
      '&from=2025-11-20&to=2026-11-21',
      'Invalid range: 2025-11-20 to 2026-11-21 are 367 days. Give at most 366 days, both ends counted.',
    ],
    [
      'from',
      '&from=yesterday&to=2026-11-01',
      'Invalid from: yesterday. Give a date from 1970 to 2999 as YYYY-MM-DD.',
    ],
    ['to', '&from=2026-11-01&to=', 'Invalid to: (empty). Give a date from 1970 to 2999 as YYYY-MM-DD.'],
    [
      'to',
      '&from=2026-02-30&to=2026-03-01',
      'Invalid from: 2026-02-30. There is no such date; give one that exists as YYYY-MM-DD.',
    ],
    ['engine', '&engine=bing', `Unknown engine: bing. Known engines: ${ENGINES}`],
    [
      'engine',
      '&engine=',
      'Empty element in engine: (empty). Give ids with one comma between, or leave engine out.',
    ],
    [
      'prompt',
      '&prompt=zzz',
      'Unknown prompt: zzz. No prompt of this brand has that id; prompts (list_prompts) has the ids of the active ones.',
    ],
    [
      'prompt',
      '&prompt=p,x',
      'Unknown prompt: x. No prompt of this brand has that id; prompts (list_prompts) has the ids of the active ones.',
    ],
    [
      'prompt',
      '&prompt=P',
      'Unknown prompt: P. No prompt of this brand has that id; prompts (list_prompts) has the ids of the active ones.',
    ],
    [
      'topic',
      '&topic=Pricing',
      'Unknown topic: Pricing. No topic folder of this brand has that id; prompts (list_prompts) has the topic_id of each prompt.',
    ],
    [
      'tag',
      '&tag=crm,theirs',
      'Unknown tag: theirs. No prompt of this brand carries it; prompts (list_prompts) has the tags of each prompt.',
    ],
    [
      'tag',
      '&tag=CRM',
      'Unknown tag: CRM. No prompt of this brand carries it; prompts (list_prompts) has the tags of each prompt.',
    ],
    [
      'tag',
      '&tag=%00',
      'Unknown tag: \\u0000. No prompt of this brand carries it; prompts (list_prompts) has the tags of each prompt.',
    ],
    ['region', '&region=jp', 'Unknown region: jp. Regions of this brand’s runs: gb, us'],
    ['surface', '&surface=app', 'Unknown surface: app. Known surfaces: api, ui, serp'],
    ['region', '&region=us,US', 'Unknown region: US. Regions of this brand’s runs: gb, us'],
    ...runFilterNames.flatMap((name): [string, string, string][] => [
      [
        name,
        `&${name}=`,
        `Empty element in ${name}: (empty). Give ids with one comma between, or leave ${name} out.`,
      ],
      [
        name,
        `&${name}=a,,b`,
        `Empty element in ${name}: a,,b. Give ids with one comma between, or leave ${name} out.`,
      ],
      [name, `&${name}=a&${name}=a`, `Parameter ${name} was given 2 times. Give it once.`],
    ]),
  ];
  for (const [param, query, words] of refused) {
    it(`${query} is refused on every read that has ${param}`, async () => {
      for (const read of readsWith(param))
        expect(await server.refused(read, required(read, param) + query), read).to.equal(words);
    });
  }

  it('a tool refuses with the same words', async () => {
    for (const [argument, value] of [
      ['tag', 'nope'],
      ['region', 'jp'],
      ['prompt', 'a,,b'],
      ['from', '2026-11-01'],
    ]) {
      const text = textOf(await call(server, 'get_overview', { brand_id: 'b', [argument!]: value }));
      expect(JSON.parse(text).error).to.equal(await server.refused('overview', `&${argument}=${value}`));
    }
  });

  it('an unknown brand is unknown before its slice is', async () => {
    const response = await server.request('/api/v1/overview?brand=nobody&tag=nope');
    expect([response.status, await response.json()]).to.deep.equal([
      404,
      { error: 'Unknown brand', code: 'unknown_brand' },
    ]);
  });

  it('every text for a value results in a body or an error message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.constantFrom(...runFilterNames), async (value, name) => {
        server.now = new Date(server.now.getTime() + 1000);
        const path = `/api/v1/sources?brand=b&${name}=${encodeURIComponent(value.toWellFormed())}`;
        expect((await server.request(path)).status).to.be.oneOf([200, 400]);
      }),
      { numRuns: 60 },
    );
  });

  const nothing = {
    from: null,
    to: null,
    engines: null,
    prompts: null,
    topics: null,
    tags: null,
    regions: null,
    surfaces: null,
  };

  it('the answer repeats the window and the slice: each value once, engines in table order', async () => {
    const body = await server.body<Body>(
      'overview',
      '&from=2026-11-01&to=2026-11-20&engine=llama,chatgpt,llama&prompt=q,p,q&topic=pricing&tag=f%C3%BCr%20KMU,crm&region=us,gb,us&surface=ui,api,ui',
    );
    expect([body.window_days, body.window, body.slice]).to.deep.equal([
      20,
      { start: '2026-11-01', end: '2026-11-20', days: 20 },
      {
        from: '2026-11-01',
        to: '2026-11-20',
        engines: ['chatgpt', 'llama'],
        prompts: ['q', 'p'],
        topics: ['pricing'],
        tags: ['für KMU', 'crm'],
        regions: ['us', 'gb'],
        surfaces: ['ui', 'api'],
      },
    ]);
    for (const read of readsWith('from').filter((name) => name !== 'metrics/history')) {
      const { window, slice } = await server.body<Body>(read, `${required(read)}&engine=gemini`);
      expect(window, read).to.deep.equal({ start: '2026-11-14', end: '2026-11-20', days: 7 });
      expect(slice, read).to.deep.equal({ ...nothing, engines: ['gemini'] });
    }
  });

  /**
   * Those that begin with seven days; the presets of history end on the newest collected day, and effect has so many days
   * on either side.
   */
  const ofLastDays = () => readsWith('days').filter((name) => !['metrics/history', 'effect'].includes(name));

  it('days are the days that end today: the answer is that of from and to', async () => {
    expect(ofLastDays()).to.have.members(readsWith('from').filter((name) => name !== 'metrics/history'));
    for (const read of ofLastDays()) {
      const ofRange = await server.body<Body>(read, `${required(read)}&from=2026-11-07&to=2026-11-20`);
      expect(await server.body<Body>(read, `${required(read)}&days=14`), read).to.deep.equal(ofRange);
      expect((await server.body<Body>(read, `${required(read)}&days=1`)).window, read).to.include({
        start: TODAY,
        end: TODAY,
      });
      const { slice } = await server.body<Body>(read, `${required(read)}&days=366`);
      expect(slice, read).to.deep.equal({ ...nothing, from: '2025-11-20', to: TODAY });
    }
  });

  it('days are refused beyond 366, and together with from or to', async () => {
    for (const read of ofLastDays()) {
      for (const days of ['0', '367', '7.5', 'x'])
        expect(await server.refused(read, `${required(read)}&days=${days}`), read).to.equal(
          `Invalid days: ${days}. Give an integer from 1 to 366.`,
        );
      for (const range of ['&from=2026-11-01&to=2026-11-02', '&to=2026-11-02'])
        expect(await server.refused(read, `${required(read)}&days=7${range}`), read).to.equal(
          'days=7 was given together with from or to. Give either days, or from and to.',
        );
    }
  });

  it('reads of the last seven days take days without a range, and tools do too', async () => {
    for (const read of ['shopping', 'shopping-trend']) {
      expect((await server.body<Body>(read)).window_days, read).to.equal(7);
      expect((await server.body<Body>(read, '&days=30')).window_days, read).to.equal(30);
    }
    const tool = async (name: string, days?: number) =>
      JSON.parse(textOf(await call(server, name, { brand_id: 'b', ...(days && { days }) }))) as Body;
    for (const name of ['list_youtube_citations', 'list_community_threads', 'get_visitor_stats'])
      expect([(await tool(name)).window_days, (await tool(name, 30)).window_days], name).to.deep.equal([
        7, 30,
      ]);
    for (const name of ['list_fanouts', 'get_content_coverage'])
      expect((await tool(name, 14)).window, name).to.deep.equal({
        start: '2026-11-07',
        end: TODAY,
        days: 14,
      });
  });

  it('is cached by what was chosen: one validator however it was spelt, another for another slice', async () => {
    const ask = (query: string, etag = '') => {
      server.now = new Date(server.now.getTime() + 1000);
      return server.request(`/api/v1/overview?brand=b&${query}`, undefined, {
        headers: { 'If-None-Match': etag },
      });
    };
    const etag = (await ask('engine=gemini,chatgpt&tag=crm')).headers.get('ETag')!;
    expect((await ask('tag=crm,crm&engine=chatgpt,gemini,chatgpt', etag)).status).to.equal(304);
    for (const other of ['engine=gemini,chatgpt', 'tag=crm', 'engine=chatgpt&tag=crm', ''])
      expect((await ask(other, etag)).status, other).to.equal(200);
  });

  it('without a parameter slice is null, after the window; newer fields are behind it', async () => {
    for (const read of readsWith('from')) {
      const body = await server.body<Body>(read, required(read));
      expect(body.slice, read).to.equal(null);
      if (read === 'why') continue;
      const before = read === 'metrics/history' ? 'model_changes' : 'window';
      const newer = {
        answers: ['measured', 'note', 'notes', 'filter', 'total'],
        overview: ['measured'],
        briefing: ['measured', 'note', 'notes', 'aside'],
        'metrics/history': ['measured', 'shown', 'marks'],
      }[read];
      const last = [before, 'slice', ...(newer ?? ['measured', 'note', 'notes'])];
      expect(Object.keys(body).slice(-last.length), read).to.deep.equal(last);
    }
  });

  it('history has a slice only where runs are chosen within its window', async () => {
    const history = (query: string) => server.body<Body>('metrics/history', `&metric=visibility${query}`);
    expect((await history('&engine=chatgpt&from=2026-11-01&to=2026-11-20')).slice).to.equal(null);
    expect((await history('&tag=crm&engine=chatgpt')).slice).to.deep.equal({
      ...nothing,
      engines: ['chatgpt'],
      tags: ['crm'],
    });
  });

  it('alternatives within a parameter, and all parameters together', async () => {
    const runs = async (query: string) => (await server.body<Body>('overview', query)).run_count;
    expect(await runs('')).to.equal(3);
    expect(await runs('&prompt=p')).to.equal(2);
    expect(await runs('&prompt=p,q')).to.equal(3);
    expect(await runs('&prompt=p,q&region=gb')).to.equal(1);
    expect(await runs('&prompt=q&topic=pricing')).to.equal(0);
    expect(await runs('&topic=empty')).to.equal(0);
    expect(await runs('&tag=gone&from=2026-11-10&to=2026-11-12')).to.equal(0);
    expect(await runs('&tag=gone&from=2026-11-10&to=2026-11-12&engine=llama')).to.equal(1);
    const { answers } = await server.body<{ answers: object[] }>(
      'answers',
      '&tag=gone&from=2026-11-10&to=2026-11-12',
    );
    expect(answers).to.have.length(1);
  });

  it('a slice without runs is null and run_count 0, never zero', async () => {
    for (const query of [
      '&topic=empty',
      '&engine=grok',
      '&from=2020-01-01&to=2020-01-02',
      '&from=2027-01-01&to=2027-02-01',
    ]) {
      const overview = await server.body<Body>('overview', query);
      const scores = [
        'visibility',
        'presence_rate',
        'share_of_voice',
        'share_of_voice_fraction',
        'citation_share',
      ];
      for (const name of [...scores, 'sentiment_index', 'avg_position'])
        expect(overview[name], query + name).to.equal(null);
      expect(overview).to.include({ run_count: 0, low_confidence: true });
      expect(overview.note).to.match(
        /^The slice selected no answer from \S+ to \S+: nothing was measured\.$/,
      );
      const { competitors } = await server.body<{ competitors: Body[] }>('competitors', query);
      expect(competitors).to.have.length(2);
      for (const row of competitors)
        expect([row.visibility, row.share_of_voice, row.share_of_voice_fraction]).to.deep.equal([
          null,
          null,
          null,
        ]);
      for (const read of ['sources', 'answers'])
        expect((await server.body<Body>(read, query))[read], read).to.deep.equal([]);
    }
    const { prompts } = await server.body<{ prompts: Body[] }>('prompts', '&engine=grok');
    expect(prompts.map((row) => [row.id, row.run_count, row.presence_rate, row.visibility])).to.deep.equal([
      ['p', 0, null, null],
      ['q', 0, null, null],
    ]);
  });

  it('a plain read without runs keeps its zeros', async () => {
    server.now = new Date('2026-12-30T12:00:00Z');
    const plain = await server.body<Body>('overview');
    expect(plain).to.include({ run_count: 0, visibility: 0, presence_rate: 0, share_of_voice_fraction: 0 });
    server.now = new Date('2026-11-20T12:30:00Z');
  });

  it('history refuses to choose runs of days that only daily statistics have', async () => {
    for (const name of runFilterNames) {
      const value = { prompt: 'p', topic: 'pricing', tag: 'crm', region: 'us', surface: 'ui' }[name];
      expect(
        await server.refused(
          'metrics/history',
          `&metric=visibility&${name}=${value}&from=2026-08-01&to=2026-11-20`,
        ),
      ).to.equal(
        `${name} cannot be applied from 2026-08-01 on: before 2026-09-26 (the 56 days that end today) only daily statistics per engine are stored. Give a range from 2026-09-26 on, or leave ${name} out.`,
      );
    }
  });

  it('runs that were pruned are not counted as absent: where roll-ups have no sums the request is refused', async () => {
    const days = '&from=2026-09-01&to=2026-09-20';
    const before = await server.body<Body>('overview', days);
    const cited = await server.body<Body>('sources', days);
    expect(before.run_count).to.equal(1);
    const engine = 'engine=chatgpt';
    const served = [
      ...['tag=crm', 'topic=pricing', 'prompt=p,q', 'region=us', `region=us&${engine}`].flatMap((choice) => [
        ['overview', choice],
        ['competitors', choice],
      ]),
      ['prompts', engine],
      ['sources', engine],
    ] as const;
    const bodies = () =>
      Promise.all(served.map(([read, choice]) => server.body<Body>(read, `${days}&${choice}`)));
    const stored = await bodies();
    expect(stored[0]!.run_count).to.equal(1);
    /** Answers are cached for a UTC day. */
    const nextDay = () => {
      server.now = new Date(server.now.getTime() + 86_400_000);
    };
    for await (const _ of pruneRuns(server.database.knex, { today: TODAY, days: 60 }));
    nextDay();
    expect(await server.body('overview', days)).to.deep.equal(before);
    expect(await server.body('sources', days)).to.deep.equal(cited);
    expect((await server.body<Body>('overview', `${days}&engine=chatgpt`)).run_count).to.equal(1);
    expect(await bodies()).to.deep.equal(stored);
    const refusal = (name: string, needed: string) =>
      `${name} needs the runs of every day from ${needed} on, the window before included where it is compared, and runs before 2026-09-12 were deleted. Give a later or shorter range, or leave ${name} out.`;
    for (const [read, choice, names] of [
      ['overview', `tag=crm&${engine}`, 'tag and engine'],
      ['competitors', 'prompt=p&tag=crm&region=us', 'prompt, tag and region'],
    ] as const)
      expect(await server.refused(read, `${days}&${choice}`)).to.equal(
        `${names} together need the runs of every day from 2026-08-12 on, the window before included where it is compared, and runs before 2026-09-12 were deleted. Give a later or shorter range, or leave one of them out.`,
      );
    expect(await server.refused('urls', `${days}&engine=chatgpt`)).to.equal(refusal('engine', '2026-08-12'));
    expect(await server.refused('urls', `${days}&prompt=p`)).to.equal(refusal('prompt', '2026-08-12'));
    expect(await server.refused('answers', days)).to.equal(refusal('from', '2026-09-01'));
  });
});
