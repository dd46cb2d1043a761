/** Sources of chosen prompts are the same from the roll-up by prompt and from the runs, and read no run where the roll-up has them. */
import { expect } from 'chai';
import { blendedEngineIds } from '../../../../src/contract/engines.js';
import { CAPS } from '../../../../src/contract/limits.js';
import { domainLists } from '../../../../src/server/answers/reads/sources.js';
import { addDays } from '../../../../src/server/base/days.js';
import { rebuildAll } from '../../../../src/server/intake/dataset/rollups/rebuild.js';
import { pruneRuns } from '../../../../src/server/intake/storage/prune-runs.js';
import { fresh } from '../../../support/hooks.js';
import { onServer } from '../../../support/on-server.js';
import { randomDataset } from '../../../support/reference/generators/dataset.js';
import { drawFrom } from '../../../support/reference/generators/draw.js';
import { TODAY } from '../../../support/reference/generators/seeds.js';
import { recordsOf } from '../../../support/reference/index.js';
import type { DatasetRecord } from '../../../support/reference/records.js';
import { NOW } from '../../intake/dataset/support/load.js';
import { recordedStatements } from '../../intake/dataset/support/plans.js';
import { cites, on, runOf, toolDatabase } from './support/tool-database.js';

const ago = (days: number) => addDays(TODAY, -days);
const OWN = { mentions: [{ name: 'Acme', order: 1 }] };

interface PromptSlice {
  readonly prompt: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

describe('sources of chosen prompts', () => {
  const tools = fresh(toolDatabase);

  const read = (params: object, brand = 'b') => tools.payload('sources', brand, NOW, params);
  async function rebuild(): Promise<void> {
    for await (const _ of rebuildAll(tools.database.knex, NOW));
  }
  const readsRuns = async (params: object): Promise<boolean> =>
    (await recordedStatements(tools.database.knex, () => read(params))).some(({ sql }) =>
      /\b(?:from|join) runs\b/.test(sql),
    );
  /** What the runs of these prompts cite, which the roll-up sums. */
  async function citedInRuns(brand: string, { prompt, from = ago(6), to = TODAY }: PromptSlice) {
    const { knex } = tools.database;
    // One statement each: brands are not where their prompts are in a distributed database.
    const { rows } = await knex.raw('select brand_key as "brandKey" from brands where id = :brand', {
      brand,
    });
    const { brandKey } = rows[0];
    const { rows: keys } = await knex.raw(
      'select array_agg(prompt_key) as "promptKeys" from prompts where brand_key = :brandKey and id = any(:prompt)',
      { brandKey, prompt },
    );
    const chosen = { brandKey, ...keys[0], engines: blendedEngineIds, regions: null, surfaces: null };
    return domainLists.runs.top(knex, { ...chosen, start: from, end: to, rows: CAPS.sources });
  }

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
      const slices = Array.from({ length: 12 }, (): PromptSlice => {
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
        const rolledUp = await bodies();
        expect(rolledUp.flatMap(({ sources }) => sources.map((each) => each.brand_present))).to.include(true);
        for (const [at, { sources }] of rolledUp.entries())
          expect(
            sources.map(({ domain, citations, brand_present }) => ({
              ...{ domain, citations, brandPresent: brand_present },
            })),
          ).to.deep.equal(await citedInRuns(brand, slices[at]!));
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

  it('answer for pruned days', async () => {
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
