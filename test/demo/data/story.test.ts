import { expect } from 'chai';
import { demoBrandId } from '../../../src/demo/data/index.js';
import type { Run } from '../../../src/server/intake/dataset/records/run.js';
import { NOW, recordsOf } from './dataset-of.js';

const share = (runs: readonly Run[], name: string): number =>
  runs.filter((run) => run.mentions.some((mention) => mention.name.startsWith(name))).length / runs.length;
const days = (from: string, to: string) => (run: Run) => run.collected_at >= from && run.collected_at < to;

describe('the demo data', () => {
  const runs = recordsOf('run').filter((run) => run.brand === demoBrandId);

  it('has a brand with growing visibility', () => {
    const first = share(runs.filter(days('2026-09-22', '2026-10-12')), 'Torvello');
    const last = share(runs.filter(days('2026-10-31', '2026-11-21')), 'Torvello');
    expect(last - first).to.be.above(0.02);
    expect(last).to.be.below(0.6);
  });

  it('has exactly one engine with runs that never names the brand', () => {
    const engines = [...new Set(runs.map(({ engine }) => engine))];
    const silent = engines.filter(
      (engine) =>
        share(
          runs.filter((run) => run.engine === engine),
          'Torvello',
        ) === 0,
    );
    expect(silent).to.deep.equal(['grok']);
  });

  it('has two prompts with answers that never name the brand, but name others', () => {
    const prompts = [...new Set(runs.map(({ prompt }) => prompt))];
    const about = (prompt: string) => runs.filter((run) => run.prompt === prompt);
    const absent = prompts.filter((prompt) => share(about(prompt), 'Torvello') === 0);
    expect(absent.sort()).to.deep.equal(['p16', 'p22']);
    for (const prompt of absent) expect(share(about(prompt), 'Lanzaro'), prompt).to.be.above(0.2);
  });

  it('has one competitor that answers name most often', () => {
    const leader = share(runs, 'Lanzaro');
    for (const name of ['Torvello', 'Cremalto', 'Pressavia', 'Fjell', 'Bexley', 'Oskari Lab']) {
      expect(share(runs, name), name).to.be.below(leader - 0.15);
      expect(share(runs, name), name).to.be.above(0);
    }
  });

  it('has a repeated complaint about the brand', () => {
    const negative = runs.flatMap((run) =>
      run.mentions.filter((m) => m.name === 'Torvello' && m.sentiment === 'negative'),
    );
    const steam = negative.filter(({ evidence }) => /steam|milk/.test(evidence ?? ''));
    expect(steam.length / negative.length).to.be.above(0.4);
  });

  it('has an inactive prompt with runs, and a prompt that was never sampled', () => {
    const prompts = recordsOf('prompt').filter(({ brand }) => brand === demoBrandId);
    const sampled = new Set(runs.map(({ prompt }) => prompt));
    expect(prompts).to.have.lengthOf(24);
    expect(
      prompts.filter(({ active }) => active === false).map(({ id }) => [id, sampled.has(id)]),
    ).to.deep.equal([['p23', true]]);
    const unsampled = prompts.filter(({ id }) => !sampled.has(id));
    expect(unsampled.map(({ created_at }) => created_at)).to.deep.equal(['2026-11-20T00:00:00Z']);
  });

  it('has an empty tag group, and other groups with tags that prompts have', () => {
    const tags = new Set(recordsOf('prompt').flatMap((prompt) => prompt.tags ?? []));
    const groups = recordsOf('tag_group');
    expect(groups.filter((group) => group.tags.length === 0)).to.have.lengthOf(1);
    for (const group of groups) for (const tag of group.tags) expect(tags.has(tag), tag).to.equal(true);
  });

  it('has own and competing products in carousels, with prices in several forms and without', () => {
    const placements = runs.flatMap((run) =>
      (run.carousels ?? []).flatMap((carousel) => carousel.placements),
    );
    const priced = (form: RegExp) => placements.some(({ price }) => form.test(price ?? ''));
    for (const form of [/^\$[\d,.]+$/, /^From \$/, / USD$/, /^£/, /^[\d.]+,\d\d €$/, /^EUR /]) {
      expect(priced(form), String(form)).to.equal(true);
    }
    expect(placements.some((p) => p.price === undefined && p.price_amount === undefined)).to.equal(true);
    expect(placements.some((p) => p.price === undefined && p.price_amount !== undefined)).to.equal(true);
    expect(placements.some((p) => p.is_own === true && !p.url?.includes('torvello.example'))).to.equal(true);
    expect(placements.some((p) => p.url?.startsWith('https://www.torvello.example/'))).to.equal(true);
  });

  it('has a fact check of three days ago, and threads with yes, no and without a check', () => {
    const [check] = recordsOf('fact_check');
    expect(NOW.getTime() - Date.parse(check!.checked_at)).to.equal(3 * 86_400_000);
    expect(check!.discrepancies).to.have.lengthOf.within(2, 3);
    const verdicts = new Set(recordsOf('community_thread').map((thread) => thread.brand_in_thread ?? null));
    expect(verdicts).to.deep.equal(new Set([true, false, null]));
  });
});
