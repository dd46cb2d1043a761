import { expect } from 'chai';
import { addDays, currentWindow, dayOf } from './days.js';
import { ENGINES, KNOWLEDGE_ENGINES } from './engines.js';
import { mentionsOf } from './entities.js';
import { presenceRate, visibility } from './formulas.js';
import type { Case } from './generators/seeds.js';
import { forEveryCase, TODAY } from './generators/seeds.js';
import {
  expectedCompetitors,
  expectedOverview,
  expectedPrompts,
  expectedSources,
  expectedUrls,
  roundTo,
  WORDS,
} from './index.js';
import type { DatasetRecord, RunRecord } from './records.js';
import { tally } from './tally.js';
import { memoisedUrlRules } from './url-rules/memoised.js';
import { plainUrlRules } from './url-rules/plain.js';

const rules = memoisedUrlRules(plainUrlRules);

/** The same data set with every run replaced; other records stay. */
function withRuns(records: DatasetRecord[], change: (run: RunRecord) => RunRecord): DatasetRecord[] {
  return records.map((record) => (record.type === 'run' ? change(record) : record));
}

function withLastMention(run: RunRecord, name: string): RunRecord {
  const last = Math.max(0, ...run.mentions.map((mention) => mention.order));
  return { ...run, mentions: [...run.mentions, { name, order: last + 1 }] };
}

/** The reads whose numbers are about entities. */
function entityReads({ scope }: Case, records: DatasetRecord[]) {
  return {
    overview: expectedOverview(records, scope, rules),
    prompts: expectedPrompts(records, scope, rules),
    competitors: expectedCompetitors(records, scope, rules),
    sources: expectedSources(records, scope, rules),
    urls: expectedUrls(records, scope, rules),
  };
}

const drawn = new Map<Case, ReturnType<typeof entityReads>>();
/** The reads of the data set as it was drawn, computed once. */
function drawnReads(of: Case) {
  const known = drawn.get(of) ?? entityReads(of, of.records);
  drawn.set(of, known);
  return known;
}

describe('reference: worked example', () => {
  const mention = (name: string, order: number) => ({ name, order });
  const run = (index: number, mentions: { name: string; order: number }[]): DatasetRecord => ({
    type: 'run',
    id: `r${index}`,
    brand: 'b',
    prompt: 'p',
    engine: ENGINES[index % 8]!,
    region: 'us',
    collected_at: `${addDays(TODAY, -(index % 7))}T12:00:00Z`,
    mentions,
    citations: [],
  });
  const rival = mention('A', 9);
  const records: DatasetRecord[] = [
    { type: 'workspace', id: 'w', name: 'W', plan: 'trial' },
    { type: 'brand', id: 'b', workspace: 'w', name: 'Own', domain: 'own.example' },
    { type: 'competitor', id: 'a', brand: 'b', name: 'A' },
    { type: 'competitor', id: 'c', brand: 'b', name: 'B' },
    { type: 'prompt', id: 'p', brand: 'b', text: 'which?' },
    run(0, [mention('Own', 1), rival]),
    run(1, [mention('Own', 1), rival]),
    run(2, [mention('own', 2), rival]),
    run(3, [mention(' OWN ', 3), rival]),
    run(4, [rival, mention('B', 10)]),
    ...[5, 6, 7, 8, 9].map((index) => run(index, [])),
  ];
  const scope = { workspace: 'w', brand: 'b', today: TODAY };

  it('returns the numbers that the formulas are explained by', () => {
    const { change, ...scorecard } = expectedOverview(records, scope, rules)!;
    const unmeasured = { previous: null, delta: null, difference: null, verdict: 'unknown', reason: WORDS };
    expect(change).to.deep.include({ previous_run_count: 0, visibility: unmeasured });
    // Σ 1 / log2(1 + order) by day is 1, 1, 0.6309, 0.5, 0, 0, 0 of 2, 2, 2, 1, 1, 1, 1 runs, and t(6) is 2.4469.
    expect(scorecard).to.deep.equal({
      brand: { id: 'b', name: 'Own', domain: 'own.example' },
      window_days: 7,
      run_count: 10,
      visibility: 31.3,
      presence_rate: 0.4,
      share_of_voice: 40,
      share_of_voice_fraction: 0.4,
      citation_share: null,
      sentiment_index: null,
      avg_position: 1.75,
      low_confidence: false,
      has_prior_window: false,
      surfaces: [{ surface: null, run_count: 10 }],
      shown: null,
      intervals: {
        level: 0.95,
        unit: 'day',
        visibility: [10.7, 51.9],
        presence_rate: [0.168, 0.687],
        share_of_voice_fraction: [0.168, 0.687],
        citation_share: null,
        sentiment_index: null,
      },
      model_changes: [],
      note: null,
      window: { start: addDays(TODAY, -6), end: TODAY, days: 7 },
      slice: null,
      measured: { first_day: addDays(TODAY, -6), last_day: TODAY },
    });
  });

  it('rounds a prompt row to whole visibility and ranks the rival with five runs first', () => {
    const [prompt] = expectedPrompts(records, scope, rules)!.body.prompts;
    expect(prompt).to.include({ presence_rate: 0.4, visibility: 31, avg_position: 1.75, run_count: 10 });
    const { body, listing } = expectedCompetitors(records, scope, rules)!;
    expect(body.competitors.map((row) => [row.name, row.share_of_voice])).to.deep.equal([
      ['A', 50],
      ['Own', 40],
      ['B', 10],
    ]);
    expect(listing.map((row) => row.id)).to.deep.equal(['a', 'b', 'c']);
  });
});

describe('reference: rules that must hold on every random data set', () => {
  it('0 <= visibility <= 100 x presence_rate before rounding, and > 0 when present', () => {
    forEveryCase(({ entities, runs }) => {
      for (const entity of entities) {
        const sums = tally(runs, entity, rules);
        if (sums.runs === 0) continue;
        const score = visibility(sums)!;
        expect(score).to.be.within(0, 100 * presenceRate(sums)! + 1e-9);
        expect(score > 0).to.equal(sums.present > 0);
      }
    });
  });

  it('the shares of voice add up to 1 whenever any tracked entity is mentioned', () => {
    forEveryCase(({ records, scope, entities, runs }) => {
      const rows = expectedCompetitors(records, scope, rules)!.body.competitors;
      const total = rows.reduce((sum, row) => sum + row.share_of_voice_fraction!, 0);
      const mentioned = runs.some((run) =>
        entities.some((entity) => mentionsOf(entity, run.mentions).length > 0),
      );
      expect(total).to.be.closeTo(mentioned ? 1 : 0, 0.0005 * rows.length + 1e-9);
    });
  });

  it('the run-weighted mean over engines, and over days, is the blended visibility', () => {
    forEveryCase(({ records, scope, entities, runs }) => {
      const served = expectedOverview(records, scope, rules)!;
      const { start } = currentWindow(TODAY);
      const days = Array.from({ length: 7 }, (_, index) => addDays(start, index));
      const byEngine = ENGINES.map((engine) => runs.filter((run) => run.engine === engine));
      const byDay = days.map((day) => runs.filter((run) => dayOf(run.collected_at) === day));
      for (const parts of [byEngine, byDay]) {
        const sums = parts.map((part) => tally(part, entities[0]!, rules));
        expect(sums.reduce((total, each) => total + each.runs, 0)).to.equal(served.run_count);
        const weighted = sums.reduce((total, each) => total + each.runs * (visibility(each) ?? 0), 0);
        const mean = served.run_count === 0 ? 0 : weighted / served.run_count;
        expect(mean).to.be.closeTo(served.visibility!, 0.05 + 1e-6);
        expect(mean).to.be.closeTo(visibility(tally(runs, entities[0]!, rules)) ?? 0, 1e-9);
      }
    });
  });

  it('emptying the runs of one prompt, leaving out a rival or paging changes no other row', () => {
    forEveryCase(({ records, scope, brand }) => {
      const { body, listing } = expectedPrompts(records, scope, rules)!;
      const [first, ...rest] = body.prompts;
      const emptied = withRuns(records, (run) =>
        run.brand === brand.id && run.prompt === first?.id ? { ...run, mentions: [] } : run,
      );
      expect(expectedPrompts(emptied, scope, rules)!.body.prompts.slice(1)).to.deep.equal(rest);
      expect(listing).to.have.deep.members(body.prompts);

      const rows = expectedCompetitors(records, scope, rules)!.listing;
      const rival = rows.find((row) => !row.is_brand);
      const without = records.filter(
        (record) => !(record.type === 'competitor' && record.brand === brand.id && record.id === rival?.id),
      );
      const shareless = (row: (typeof rows)[number]) => ({
        ...row,
        share_of_voice: 0,
        share_of_voice_fraction: 0,
        intervals: { ...row.intervals, share_of_voice_fraction: null },
        change: { ...row.change, share_of_voice_fraction: null },
      });
      expect(expectedCompetitors(without, scope, rules)!.listing.map(shareless)).to.deep.equal(
        rows.filter((row) => row !== rival).map(shareless),
      );
    });
  });

  it('what model-knowledge engines answer changes no blended read', () => {
    forEveryCase((of) => {
      const silent = withRuns(of.records, (run) =>
        KNOWLEDGE_ENGINES.includes(run.engine) ? { ...run, mentions: [], citations: [] } : run,
      );
      expect(entityReads(of, silent)).to.deep.equal(drawnReads(of));
    });
  });

  it('an unscored mention of an entity that is already named changes nothing', () => {
    forEveryCase((of) => {
      const changed = withRuns(of.records, (run) => {
        const named = of.entities.find((entity) => mentionsOf(entity, run.mentions).length > 0);
        return named === undefined ? run : withLastMention(run, named.name);
      });
      expect(entityReads(of, changed)).to.deep.equal(drawnReads(of));
    });
  });

  it('an untracked name after the others changes nothing, share of voice included', () => {
    forEveryCase((of) => {
      const changed = withRuns(of.records, (run) => withLastMention(run, 'Somebody Untracked'));
      expect(entityReads(of, changed)).to.deep.equal(drawnReads(of));
    });
  });

  it('the citations of all sources add up to the denominator of citation_share', () => {
    forEveryCase(({ records, scope, entities, runs }) => {
      const all = runs.flatMap((run) => run.citations).length;
      const total = expectedSources(records, scope, rules)!.listing.reduce(
        (sum, row) => sum + row.citations,
        0,
      );
      expect(total).to.equal(all);
      const share = expectedOverview(records, scope, rules)!.citation_share;
      expect(share).to.equal(all === 0 ? null : tally(runs, entities[0]!, rules).ownCitations / all);
    });
  });

  it('sampled and absent is 0 with runs, never sampled is null with none', () => {
    forEveryCase(({ records, scope }) => {
      for (const row of expectedPrompts(records, scope, rules)!.listing) {
        const sampled = row.run_count > 0;
        expect(row.presence_rate !== null).to.equal(sampled);
        expect(row.visibility !== null).to.equal(sampled);
        expect(row.avg_position !== null).to.equal((row.presence_rate ?? 0) > 0);
      }
      const overview = expectedOverview(records, scope, rules)!;
      expect(overview.low_confidence).to.equal(overview.run_count < 5);
      expect(overview.measured === null).to.equal(overview.run_count === 0);
      if (overview.run_count === 0) expect(overview.note).to.equal(WORDS);
      if (overview.run_count === 0) expect(overview).to.include({ visibility: 0, presence_rate: 0 });
      expect(overview.avg_position !== null).to.equal(overview.presence_rate! > 0);
    });
  });

  it('the value of the window is computed from exact sums, not from rounded days', () => {
    forEveryCase(({ records, scope, entities, runs }) => {
      const days = [...new Set(runs.map((run) => dayOf(run.collected_at)))];
      const sums = days.map((day) =>
        tally(
          runs.filter((run) => dayOf(run.collected_at) === day),
          entities[0]!,
          rules,
        ),
      );
      const weight = sums.reduce((total, each) => total + each.weightSum, 0);
      const exact = runs.length === 0 ? 0 : (100 * weight) / (1e9 * runs.length);
      expect(expectedOverview(records, scope, rules)!.visibility).to.equal(roundTo(exact, 1));
    });
  });
});
