/** Rules of the core reads, each on a brand of its own whose answers show it; one import has all of them. */
import { expect } from 'chai';
import { blendedEngineIds } from '../../../../src/contract/engines.js';
import { addDays } from '../../../../src/server/base/days.js';
import { shared } from '../../../support/hooks.js';
import { testServer } from '../../../support/server.js';
import { NOW } from '../../intake/dataset/support/load.js';

const TODAY = '2026-11-20';

const run = (id: string, daysAgo: number, fields: object = {}) => ({
  ...{ type: 'run', id, prompt: 'p', engine: 'chatgpt', region: 'us', mentions: [], citations: [] },
  collected_at: `${addDays(TODAY, -daysAgo)}T12:00:00Z`,
  ...fields,
});
const cites = (...urls: string[]) => ({ citations: urls.map((url) => ({ url })) });
const titled = (title?: string) => ({ citations: [{ url: 'https://a.example/', ...(title && { title }) }] });
const named = (name: string, order: number, sentiment?: string) => ({
  mentions: [{ name, order, ...(sentiment && { sentiment }) }],
});
const group = (id: string, tags: string[], created_at: string | null = null) => ({
  ...{ type: 'tag_group', id, name: id, color: '#000000', tags, created_at },
});
const earlier = [run('q', 7, titled('Newer')), run('o', 13, titled('Older')), run('n', 14, titled())];

/** The records of each brand besides those that all have. */
const brands: Record<string, object[]> = {
  hosts: [
    run(
      'r',
      0,
      cites(
        'https://own.example/',
        'https://www.own.example:8443/a',
        'https://blog.own.example/',
        'https://notown.example/',
        'mailto:me@own.example',
      ),
    ),
  ],
  homeless: [{ type: 'competitor', id: 'c', name: 'C' }, run('r', 0, cites('mailto:a@b.example'))],
  toned: [
    run('r', 0, {
      mentions: [
        { name: 'self', order: 3, sentiment: 'positive' },
        { name: 'OWN', order: 2, sentiment: 'negative' },
        { name: 'Own', order: 1 },
      ],
    }),
  ],
  current: [run('r', 0, { ...titled(), engine: 'claude' })],
  both: [run('r', 0, { ...titled(), engine: 'claude' }), ...earlier],
  before: earlier,
  grouped: [
    group('a', ['X', 'x']),
    group('late', ['h'], '2026-01-02T00:00:00+05:30'),
    group('z', [], '2026-01-01T18:00:00Z'),
    { type: 'prompt', id: 'h', text: '?', tags: ['h'], active: false },
    run('r', 9),
  ],
  sorted: [
    ...[run('a', 0), run('B', 0), run('c', 7)],
    run('z', 0, { collected_at: `${TODAY}T02:00:00+05:30`, engine: 'llama' }),
  ],
  explained: [
    { type: 'competitor', id: 'a', name: 'A' },
    { type: 'competitor', id: 'c', name: 'B' },
    ...[named('Own', 1), named('Own', 1), named('own', 2), named(' OWN ', 3), named('B', 10)]
      .map(({ mentions }) => ({ mentions: [...mentions, ...named('A', 9).mentions] }))
      .concat(Array.from({ length: 5 }, () => ({ mentions: [] })))
      .map((fields, at) => run(`r${at}`, at % 7, { ...fields, engine: blendedEngineIds[at % 8]! })),
  ],
};

describe('the core reads by example', () => {
  const server = shared(() => testServer({ now: NOW }));
  before(() =>
    server.load([
      { type: 'workspace', id: 'w', name: 'W', plan: 'growth' },
      ...Object.entries(brands).flatMap(([brand, records]) => [
        {
          ...{ type: 'brand', id: brand, workspace: 'w', name: 'Own', aliases: ['Self'] },
          domain: 'www.Own.example:8080',
        },
        { type: 'prompt', id: 'p', brand, text: 'which?', tags: ['x'] },
        ...records.map((record) => ({ ...record, brand })),
      ]),
    ]),
  );

  // biome-ignore lint/suspicious/noExplicitAny: the fields that each test names
  const read = (name: string, brand: string): Promise<any> => {
    server.pass();
    return server.read(`/api/v1/${name}?brand=${brand}`);
  };

  it('a citation is own by domain, subdomain and any port, and not by a name that only ends alike', async () => {
    expect((await read('overview', 'hosts')).citation_share).to.equal(3 / 5);
    const { sources } = await read('sources', 'hosts');
    expect(
      sources.map(({ domain, citations }: Record<string, unknown>) => [domain, citations]),
    ).to.deep.equal([
      ['own.example', 2],
      ['', 1],
      ['blog.own.example', 1],
      ['notown.example', 1],
    ]);
  });

  it('an entity without a domain has no citation share', async () => {
    const { competitors } = await read('competitors', 'homeless');
    const shares = competitors.map(({ name, citation_share }: Record<string, unknown>) => [
      name,
      citation_share,
    ]);
    expect(shares).to.have.deep.members([
      ['C', null],
      ['Own', 0],
    ]);
  });

  it('the tone of a run is that of the first scored mention by order', async () => {
    expect(await read('overview', 'toned')).to.include({ sentiment_index: 0, avg_position: 1 });
    const [answer] = (await read('answers', 'toned')).answers;
    expect(answer.mentions.map(({ name }: { name: string }) => name)).to.deep.equal(['Own', 'OWN', 'self']);
  });

  it('prior_citations is null without a prior run, else a count; the newest title of either window shows', async () => {
    const row = async (brand: string) => (await read('urls', brand)).urls[0];
    expect(await row('current')).to.include({ citations: 1, prior_citations: null, title: null });
    expect(await row('both')).to.include({ citations: 1, prior_citations: 2, title: 'Newer' });
    expect(await row('before')).to.deep.include({
      ...{ citations: 0, answers: 0, engines: [], brand_present: false },
    });
  });

  it('a tag group keeps its order, loses unused members and may be empty', async () => {
    const { tag_groups, prompts } = await read('prompts', 'grouped');
    expect(tag_groups.map(({ id, tags }: { id: string; tags: string[] }) => [id, ...tags])).to.deep.equal([
      ['z'],
      ['late'],
      ['a', 'x'],
    ]);
    expect(prompts).to.have.length(1);
    expect(prompts[0]).to.include({ id: 'p', topic: 'x', stage: '—', presence_rate: null, run_count: 0 });
  });

  it('answers are newest first by UTC date, then id, on all engines', async () => {
    const { answers } = await read('answers', 'sorted');
    expect(answers.map(({ id }: { id: string }) => id)).to.deep.equal(['a', 'B', 'z']);
  });

  it('has the numbers that the formulas are explained by', async () => {
    const { change, intervals, ...overview } = await read('overview', 'explained');
    expect(change).to.deep.include({ previous_run_count: 0 });
    expect(change.visibility).to.include({ previous: null, delta: null, verdict: 'unknown' });
    // Σ 1 / log2(1 + order) by day is 1, 1, 0.6309, 0.5, 0, 0, 0 of 2, 2, 2, 1, 1, 1, 1 runs, and t(6) is 2.4469.
    expect(intervals).to.deep.equal({
      ...{ level: 0.95, unit: 'day', visibility: [10.7, 51.9] },
      ...{ presence_rate: [0.168, 0.687], share_of_voice_fraction: [0.168, 0.687] },
      ...{ citation_share: null, sentiment_index: null },
    });
    expect(overview).to.deep.include({
      ...{ window_days: 7, run_count: 10, visibility: 31.3, presence_rate: 0.4 },
      ...{ share_of_voice: 40, share_of_voice_fraction: 0.4, citation_share: null, sentiment_index: null },
      ...{ avg_position: 1.75, low_confidence: false, has_prior_window: false, shown: null },
      ...{ surfaces: [{ surface: null, run_count: 10 }], model_changes: [], note: null, slice: null },
      window: { start: addDays(TODAY, -6), end: TODAY, days: 7 },
      measured: { first_day: addDays(TODAY, -6), last_day: TODAY },
    });
    const [prompt] = (await read('prompts', 'explained')).prompts;
    expect(prompt).to.include({ presence_rate: 0.4, visibility: 31, avg_position: 1.75, run_count: 10 });
    const { competitors } = await read('competitors', 'explained');
    expect(
      competitors.map(({ name, share_of_voice }: Record<string, unknown>) => [name, share_of_voice]),
    ).to.deep.equal([
      ['A', 50],
      ['Own', 40],
      ['B', 10],
    ]);
  });
});
