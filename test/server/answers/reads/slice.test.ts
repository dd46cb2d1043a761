/** A slice answers as the plain read of a brand that has only the runs of the slice. */
import { expect } from 'chai';
import { promptsNamed, topicsNamed } from '../../../../src/server/answers/reads/slice.js';
import { addDays } from '../../../../src/server/base/days.js';
import { emptyDatabase } from '../../../support/database.js';
import { shared } from '../../../support/hooks.js';
import { describeOnServer, onServer } from '../../../support/on-server.js';
import { randomDataset } from '../../../support/reference/generators/dataset.js';
import { TODAY } from '../../../support/reference/generators/seeds.js';
import { recordsOf } from '../../../support/reference/index.js';
import type { DatasetRecord, PromptRecord, RunRecord } from '../../../support/reference/records.js';
import { testServer } from '../../../support/server.js';
import {
  brand as brandRecord,
  load,
  NOW,
  workspace as workspaceRecord,
} from '../../intake/dataset/support/load.js';

type Body = Record<string, unknown>;
type Query = Record<string, string>;

const REGION_READS = ['overview', 'competitors', 'sources', 'urls', 'answers'];
const LISTS = ['prompts', 'competitors', 'sources', 'urls', 'answers'];

/** A data set whose first brand has runs of every slice below. */
const records = randomDataset(37, TODAY, { runs: 500 });
const { id: brand, workspace } = recordsOf(records, 'brand')[0]!;
const prompts = new Map(
  recordsOf(records, 'prompt')
    .filter((each) => each.brand === brand)
    .map((each) => [each.id, each] as [string, PromptRecord]),
);
const runs = recordsOf(records, 'run').filter((each) => each.brand === brand);

/** The value that most runs have. */
function mostCommon(of: (run: RunRecord) => readonly (string | null | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const value of runs.flatMap(of)) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]![0];
}

const promptOf = (run: RunRecord) => prompts.get(run.prompt)!;
const [region, tag, topic, prompt] = [
  mostCommon((run) => [run.region]),
  mostCommon((run) => promptOf(run).tags ?? []),
  mostCommon((run) => [promptOf(run).topic]),
  mostCommon((run) => [run.prompt]),
];
const regions = [...new Set(runs.map((run) => run.region))];

/** Each slice with the runs that it selects. Engines here are blended, so that the plain read counts them. */
const slices: readonly [query: Query, selects: (run: RunRecord) => boolean][] = [
  [{ engine: 'chatgpt' }, (run) => run.engine === 'chatgpt'],
  [{ engine: 'perplexity,chatgpt,chatgpt' }, (run) => ['chatgpt', 'perplexity'].includes(run.engine)],
  [{ region }, (run) => run.region === region],
  [{ region: regions.join() }, () => true],
  [{ prompt: [...prompts.keys()].join() }, () => true],
  [
    { prompt: [...prompts.keys()].join(), region, engine: 'chatgpt' },
    (run) => run.region === region && run.engine === 'chatgpt',
  ],
  [{ tag }, (run) => promptOf(run).tags?.includes(tag) ?? false],
  [{ topic }, (run) => promptOf(run).topic === topic],
  [{ prompt: `${prompt},${prompt}` }, (run) => run.prompt === prompt],
  [
    { tag, region, engine: 'chatgpt,gemini,aio' },
    (run) =>
      run.region === region &&
      ['chatgpt', 'gemini', 'aio'].includes(run.engine) &&
      (promptOf(run).tags?.includes(tag) ?? false),
  ],
];

const twin = (at: number): string => `twin.${at}`;

/** The brand again, under another id, with some of its runs. */
function twinOf(at: number, selects: (run: RunRecord) => boolean): DatasetRecord[] {
  const own = records.filter(
    (each) =>
      (each.type === 'brand' && each.id === brand) ||
      ('brand' in each && each.brand === brand && (each.type !== 'run' || selects(each))),
  );
  return own.map((each) =>
    each.type === 'brand' ? { ...each, id: twin(at) } : { ...each, brand: twin(at) },
  ) as DatasetRecord[];
}

describe('a slice', () => {
  let key: string;
  const server = shared(() => testServer({ now: NOW }));
  before(async () => {
    await server.load([...records, ...slices.flatMap(([, selects], at) => twinOf(at, selects))]);
  });
  beforeEach(async () => {
    server.now = NOW;
    key = await server.key({ workspace, kind: 'read' });
  });
  async function get(read: string, of: string, query: Query = {}): Promise<Body> {
    // Half a second refills the token of the request.
    server.now = new Date(server.now.getTime() + 500);
    return server.read(`/api/v1/${read}?${new URLSearchParams({ brand: of, ...query })}`, key);
  }

  /** The numbers of a body: without the echo of the request, and with the id of the brand itself. */
  function measured({ window: _, slice: __, next_cursor: ___, ...body }: Body, id = brand): unknown {
    return JSON.parse(JSON.stringify(body).replaceAll(`"${id}"`, '"brand"'));
  }

  const readsOf = (query: Query) =>
    Object.keys(query).join() === 'engine' ? [...REGION_READS, 'prompts'] : REGION_READS;

  for (const [at, [query, selects]] of slices.entries()) {
    const title = Object.keys(query).join(', ') + (query.engine ? ` (${query.engine})` : '');
    it(`by ${title} counts its runs only: ${runs.filter(selects).length} of ${runs.length}`, async () => {
      for (const read of readsOf(query)) {
        const sliced = await get(read, brand, query);
        const plain = await get(read, twin(at));
        if (read === 'overview' && Object.keys(query).join() !== 'engine') {
          // A model is new to the engine or not, whichever of its runs are chosen.
          const whole = await get(read, brand, query.engine ? { engine: query.engine } : {});
          expect(sliced.model_changes).to.deep.equal(whole.model_changes);
          sliced.model_changes = plain.model_changes;
        }
        expect(measured(sliced), read).to.deep.equal(measured(plain, twin(at)));
      }
    });

    it(`by ${title} has a history of its runs only`, async () => {
      const { engine, ...filters } = query;
      if (engine && Object.keys(filters).length === 0) return;
      for (const metric of ['visibility', 'share_of_voice_fraction', 'citation_share', 'sentiment_index']) {
        // Dates, because the newest day of the twin may be another one.
        const asked = {
          metric,
          competitors: 'true',
          from: addDays(TODAY, -20),
          to: TODAY,
          ...(engine && { engine }),
        };
        const sliced = await get('metrics/history', brand, { ...asked, ...filters });
        const plain = await get('metrics/history', twin(at), asked);
        sliced.model_changes = plain.model_changes;
        sliced.note = plain.note;
        sliced.notes = plain.notes;
        expect({ ...(measured(sliced) as Body), model_changes: [] }, metric).to.deep.equal({
          ...(measured(plain, twin(at)) as Body),
          model_changes: [],
        });
      }
    });
  }

  it('by every engine that is blended is the plain read', async () => {
    const engine = 'claude,grok,gemini,perplexity,copilot,aimode,aio,chatgpt';
    for (const read of ['overview', 'prompts', 'competitors', 'sources', 'urls'])
      expect(measured(await get(read, brand, { engine })), read).to.deep.equal(
        measured(await get(read, brand)),
      );
  });

  it('of every prompt and region reads no run, and states what was chosen', async () => {
    const sent: string[] = [];
    server.database.knex.on('query', ({ sql }: { sql: string }) => sent.push(sql));
    const choice = { prompt: [...prompts.keys()].join(), region: regions.join() };
    const asked = { metric: 'visibility', days: '7' };
    for (const [read, more] of [
      ...REGION_READS.filter((name) => name !== 'answers').map((name) => [name, {}] as const),
      ['metrics/history', asked] as const,
    ]) {
      const { slice } = await get(read, brand, { ...choice, ...more });
      expect(slice, read).to.deep.include({ prompts: [...prompts.keys()], regions });
    }
    server.database.knex.removeAllListeners('query');
    expect(sent.length).to.be.greaterThan(10);
    expect(sent.filter((sql) => /\b(?:from|join) runs\b/.test(sql))).to.deep.equal([]);
  });

  it('by days is what the plain read was on the last of them', async () => {
    for (const back of [1, 7, 9]) {
      const to = addDays(TODAY, -back);
      for (const read of [...REGION_READS, 'prompts']) {
        server.now = new Date(NOW);
        const sliced = await get(read, brand, { from: addDays(to, -6), to });
        server.now = new Date(`${to}T12:00:00Z`);
        const plain = await get(read, brand);
        expect(measured(sliced), `${read} to ${to}`).to.deep.equal(measured(plain));
        expect(sliced.window).to.deep.equal(plain.window);
      }
    }
  });

  it('in pages has the rows of the unpaged read', async () => {
    for (const query of [
      { engine: 'chatgpt,gemini' },
      { region, from: addDays(TODAY, -12), to: TODAY },
    ] as Query[])
      for (const read of LISTS.filter((name) => name !== 'prompts' || query.engine)) {
        const whole = await get(read, brand, query);
        const rows: { [key: string]: unknown }[] = [];
        let cursor: string | null = null;
        do {
          const page: Body = await get(read, brand, {
            ...query,
            limit: onServer('3', '20'),
            ...(cursor && { cursor }),
          });
          expect(Object.keys(page)).to.deep.equal([...Object.keys(whole), 'next_cursor']);
          expect([page.window, page.slice]).to.deep.equal([whole.window, whole.slice]);
          rows.push(...(page[read] as typeof rows));
          cursor = page.next_cursor as string | null;
        } while (cursor !== null);
        const unpaged = whole[read] as typeof rows;
        expect(rows.length).to.be.at.least(unpaged.length);
        for (const row of unpaged) expect(rows, read).to.deep.include(row);
      }
  });
});

const PROMPTS = 4000;
const TAGS_OF_EACH = 10;
/** About as many values as the largest message to /api/mcp can hold. */
const VALUES = 130_000;

describeOnServer('the values of a slice in the database', () => {
  let brandKey: number;
  const database = shared(emptyDatabase);
  before(async () => {
    const tags = Array.from({ length: TAGS_OF_EACH }, (_, at) => `tag${at}`);
    await load(database.knex, [
      workspaceRecord,
      brandRecord,
      { type: 'topic', id: 't', brand: 'b', name: 'T' },
      ...Array.from({ length: PROMPTS }, (_, at) => ({
        type: 'prompt',
        id: `p${at}`,
        brand: 'b',
        text: 'best crm?',
        tags: at === 3 ? [...tags, 'rare'] : tags,
        ...(at === 2 && { topic: 't' }),
      })),
    ]);
    brandKey = (await database.knex('brands').first('brand_key')).brand_key;
  });

  // Comparing each tag of each prompt with each value takes minutes; a look-up in a hash takes less than a second.
  it('are looked up, not compared one by one, however many a caller sends', async () => {
    const many = Array.from({ length: VALUES }, (_, at) => `v${at}`);
    const named = await promptsNamed(database.knex, {
      brandKey,
      prompts: [...many, 'p1'],
      topics: [...many, 't'],
      tags: [...many, 'rare'],
    });
    expect(named.map(({ id }) => id).sort()).to.deep.equal(['p1', 'p2', 'p3']);
    expect(await topicsNamed(database.knex, { brandKey, topics: [...many, 't'] })).to.deep.equal([
      { id: 't' },
    ]);
  }).timeout(60_000);
});
