/** Sources of chosen prompts are the same from the roll-up by prompt and from the runs, and read no run where the roll-up has them. */
import { expect } from 'chai';
import { rebuildAll } from '../../../src/server/dataset/rollups/rebuild.js';
import { addDays } from '../../../src/server/days.js';
import { RefusedError } from '../../../src/server/errors.js';
import { pruneRuns } from '../../../src/server/storage/prune-runs.js';
import { onServer } from '../../support/on-server.js';
import { randomDataset } from '../../support/reference/generators/dataset.js';
import { drawFrom } from '../../support/reference/generators/draw.js';
import { TODAY } from '../../support/reference/generators/seeds.js';
import { recordsOf } from '../../support/reference/index.js';
import type { DatasetRecord } from '../../support/reference/records.js';
import { NOW } from '../dataset/support/load.js';
import { recordedStatements } from '../dataset/support/plans.js';
import { cites, on, runOf, type ToolDatabase, toolDatabase } from './support/tool-database.js';

const ago = (days: number) => addDays(TODAY, -days);
const OWN = { mentions: [{ name: 'Acme', order: 1 }] };

describe('sources of chosen prompts', () => {
  let tools: ToolDatabase;
  beforeEach(async () => {
    tools = await toolDatabase();
  });
  afterEach(() => tools.close());

  const read = (params: object, brand = 'b') => tools.payload('sources', brand, NOW, params);
  /** As a database that an earlier version filled. */
  async function forget(): Promise<void> {
    const { knex } = tools.database;
    await knex.raw('update day_prompt_domains set present_citations = null');
    await knex.raw(
      'update day_engine_prompts set brand_runs = null, brand_positions = null, brand_weights = null',
    );
  }
  const unknown = async (): Promise<number> =>
    (
      await tools.database.knex.raw(
        'select count(*) as rows from day_prompt_domains where present_citations is null',
      )
    ).rows[0].rows;
  async function rebuild(): Promise<void> {
    for await (const _ of rebuildAll(tools.database.knex, NOW));
  }
  const readsRuns = async (params: object): Promise<boolean> =>
    (await recordedStatements(tools.database.knex, () => read(params))).some(({ sql }) =>
      /\b(?:from|join) runs\b/.test(sql),
    );
  const domains = async (params: object) =>
    (await read(params)).sources.map(({ domain, citations, brand_present }) => [
      domain,
      citations,
      brand_present,
    ]);

  for (const seed of onServer([3, 37], [3]))
    it(`are equal from both, after late and changed runs and after a rebuild: data set ${seed}`, async () => {
      const records = randomDataset(seed, TODAY, { runs: 400 });
      const brand = mostCollected(records);
      const runs = recordsOf(records, 'run').filter(
        (each) => each.brand === brand && each.outcome !== 'not_shown',
      );
      const draw = drawFrom(seed);
      const late = new Set<DatasetRecord>(draw.some(runs, 0.05));
      const changed = draw
        .some(runs, 0.05)
        .map((run) => ({ ...run, mentions: draw.pick(runs).mentions, citations: draw.pick(runs).citations }));
      const prompts = [...new Set(runs.map((run) => run.prompt))].sort();
      const slices = Array.from({ length: 12 }, () => {
        const chosen = draw.some(prompts, 0.3);
        const [start, more] = [draw.int(0, 20), draw.int(0, 20)];
        return {
          prompt: chosen.length > 0 ? chosen : [draw.pick(prompts)],
          ...(draw.chance(0.7) && { from: ago(start + more), to: ago(start) }),
        };
      });
      const bodies = () => Promise.all(slices.map((slice) => read(slice, brand)));
      for (const some of [records.filter((each) => !late.has(each)), [...late], ...inGroups(changed)]) {
        await tools.load(some);
        expect(await unknown()).to.equal(0);
        const rolledUp = await bodies();
        expect(rolledUp.flatMap(({ sources }) => sources.map((each) => each.brand_present))).to.include(true);
        await forget();
        expect(await bodies()).to.deep.equal(rolledUp);
        await rebuild();
        expect(await bodies()).to.deep.equal(rolledUp);
      }
    });

  it('read no run if no other value is chosen, on blended engines', async () => {
    await tools.collect(runOf('r', { ...OWN, ...cites('https://x.example/') }), runOf('s', { prompt: 'q' }));
    expect(await readsRuns({ prompt: ['p'] })).to.equal(false);
    expect(await readsRuns({ prompt: ['p'], from: ago(30), to: TODAY })).to.equal(false);
    expect(await readsRuns({ prompt: ['p'], engine: ['chatgpt'] })).to.equal(true);
  });

  it('come from the runs where the roll-up is older than this sum, until it is rebuilt', async () => {
    const page = cites('https://x.example/');
    await tools.collect(
      ...Array.from({ length: 12 }, (_, at) => runOf(`r${at}`, page)),
      runOf('old', { ...on(ago(1)), ...page }),
    );
    await forget();
    expect(await readsRuns({ prompt: ['p'] })).to.equal(true);
    // One run more rebuilds its day.
    await tools.load([runOf('own', { ...OWN, ...page })]);
    expect(await unknown()).to.equal(1);
    expect(await readsRuns({ prompt: ['p'] })).to.equal(true);
    expect(await domains({ prompt: ['p'] })).to.deep.equal([['x.example', 14, true]]);
    expect(await domains({ prompt: ['p'], from: ago(1), to: ago(1) })).to.deep.equal([
      ['x.example', 1, false],
    ]);
    await rebuild();
    expect(await readsRuns({ prompt: ['p'] })).to.equal(false);
    expect(await domains({ prompt: ['p'] })).to.deep.equal([['x.example', 14, true]]);
  });

  it('answer for pruned days, and are refused where the roll-up is incomplete', async () => {
    const page = cites('https://x.example/');
    await tools.collect(
      runOf('new', page),
      ...[70, 71].map((days) => runOf(`r${days}`, { ...OWN, ...on(ago(days)), ...page })),
    );
    const old = { prompt: ['p'], from: ago(80), to: ago(60) };
    const before = await read(old);
    for await (const _ of pruneRuns(tools.database.knex, { today: TODAY, days: 60 }));
    expect(await read(old)).to.deep.equal(before);
    await rebuild();
    expect(await read(old)).to.deep.equal(before);
    await forget();
    const refused = await read(old).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(refused).to.be.instanceOf(RefusedError);
  });
});

/** In four imports on a server; in two on the embedded database, where an import and a rebuild take long. */
function inGroups<T>(changed: T[]): T[][] {
  const size = Math.ceil(changed.length / onServer(4, 2));
  return Array.from({ length: Math.ceil(changed.length / size) }, (_, at) =>
    changed.slice(at * size, (at + 1) * size),
  );
}

/** The brand with the most runs. */
function mostCollected(records: DatasetRecord[]): string {
  const counts = new Map<string, number>();
  for (const { brand } of recordsOf(records, 'run')) counts.set(brand, (counts.get(brand) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]![0];
}
