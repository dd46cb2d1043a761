import { expect } from 'chai';
import fc from 'fast-check';
import {
  averagePosition,
  differenceSeen,
  differenceText,
  type EntitySums,
  type MeasureName,
  measureNames,
  measureOf,
  measureValue,
  neededSums,
  valueText,
  type WindowSums,
} from '../../src/contract/measures.js';
import { NO_RUNS, NO_SUMS, positionWeight } from '../../src/server/answers/metrics/samples.js';
import { round, scoresOf } from '../../src/server/answers/metrics/values.js';
import * as reference from '../support/reference/formulas.js';

const value =
  (name: MeasureName) =>
  (entity: Partial<EntitySums>, totals: Partial<WindowSums> = {}, hasDomain = true): number | null =>
    measureValue(name, { entity: { ...NO_SUMS, ...entity }, totals: { ...NO_RUNS, ...totals }, hasDomain });
const visibility = (entity: Partial<EntitySums>, runs: number) => value('visibility')(entity, { runs });
const presenceRate = (entity: Partial<EntitySums>, runs: number) => value('presence_rate')(entity, { runs });
const shareOfVoice = value('share_of_voice_fraction');
const citationShare = value('citation_share');
const sentimentIndex = value('sentiment_index');
const avgPosition = averagePosition.value;
/** Rounded to 0.1. */
const shareOfVoicePercent = (entity: Partial<EntitySums>, totals: Partial<WindowSums>) =>
  scoresOf(['share_of_voice_fraction'], {
    entity: { ...NO_SUMS, ...entity },
    totals: { ...NO_RUNS, ...totals },
    hasDomain: true,
  }).share_of_voice;

/** One collected answer: rank and tone of each tracked entity that it names, and the entities of the cited pages. */
interface Run {
  engine: number;
  ranks: (number | null)[];
  tones: ('positive' | 'neutral' | 'negative' | null)[];
  cited: (number | null)[];
}

const ENTITIES = 3;
const perEntity = <T>(of: fc.Arbitrary<T>) => fc.array(of, { minLength: ENTITIES, maxLength: ENTITIES });
const run: fc.Arbitrary<Run> = fc.record({
  engine: fc.nat(3),
  ranks: perEntity(fc.option(fc.integer({ min: 1, max: 40 }))),
  tones: perEntity(fc.constantFrom('positive', 'neutral', 'negative', null)),
  cited: fc.array(fc.option(fc.nat(ENTITIES - 1)), { maxLength: 4 }),
});
const runs = fc.array(run, { maxLength: 30 });

function sumsOf(of: readonly Run[], entity: number): EntitySums {
  const present = of.filter((each) => each.ranks[entity] !== null);
  const ranks = present.map((each) => each.ranks[entity]!);
  const toned = (tone: string) => present.filter((each) => each.tones[entity] === tone).length;
  return {
    present: present.length,
    positionSum: ranks.reduce((sum, rank) => sum + rank, 0),
    weightSum: ranks.reduce((sum, rank) => sum + positionWeight(rank), 0),
    positive: toned('positive'),
    neutral: toned('neutral'),
    negative: toned('negative'),
    citations: of.flatMap((each) => each.cited).filter((each) => each === entity).length,
  };
}

const everyEntity = (of: readonly Run[]) =>
  Array.from({ length: ENTITIES }, (_, entity) => sumsOf(of, entity));

function totalsOf(of: readonly Run[]): WindowSums {
  return {
    runs: of.length,
    citations: of.flatMap((each) => each.cited).length,
    presences: everyEntity(of).reduce((sum, each) => sum + each.present, 0),
  };
}

const check = (rule: (of: Run[]) => void) => fc.assert(fc.property(runs, rule));

describe('the measures', () => {
  it('have the values of the worked example: orders 1, 1, 2, 3 in ten runs, competitors in five runs and in one', () => {
    const weightSum = [1, 1, 2, 3].reduce((sum, order) => sum + positionWeight(order), 0);
    const own = { ...NO_SUMS, present: 4, positionSum: 7, weightSum };
    const totals = { runs: 10, citations: 0, presences: 4 + 5 + 1 };
    expect(round(presenceRate(own, totals.runs), 3)).to.equal(0.4);
    expect(round(visibility(own, totals.runs), 1)).to.equal(31.3);
    expect(avgPosition(own)).to.equal(1.75);
    expect(round(shareOfVoice(own, totals), 3)).to.equal(0.4);
    expect(shareOfVoicePercent(own, totals)).to.equal(40);
  });

  it('weigh a mention by 1/log2(1 + rank): 1, .631, .5, .431, .387', () => {
    const weights = [1, 2, 3, 4, 5].map((rank) => round(positionWeight(rank) / 1e9, 3));
    expect(weights).to.deep.equal([1, 0.631, 0.5, 0.431, 0.387]);
    for (const rank of [1, 2, 100, 2_147_483_647]) {
      expect(positionWeight(rank))
        .to.equal(Math.round(1e9 / Math.log2(1 + rank)))
        .and.above(0);
    }
  });

  it('keep 0 ≤ visibility ≤ 100 × presence rate, and above 0 when present', () => {
    check((of) => {
      for (const sums of everyEntity(of)) {
        const value = visibility(sums, of.length);
        if (value === null) {
          expect(of).to.deep.equal([]);
          return;
        }
        expect(value).to.be.within(0, 100 * presenceRate(sums, of.length)! + 1e-9);
        expect(value > 0).to.equal(sums.present > 0);
      }
    });
  });

  it('need only the sums that they name: others change neither a value nor what its interval is computed from', () => {
    check((of) => {
      const totals = totalsOf(of);
      for (const sums of everyEntity(of)) {
        for (const name of measureNames) {
          const needed = neededSums(name);
          const others = (Object.keys(sums) as (keyof EntitySums)[]).filter((sum) => !needed.has(sum));
          const without = { ...sums, ...Object.fromEntries(others.map((sum) => [sum, Number.NaN])) };
          const { of, per, own, squares } = measureOf(name);
          const parts = (entity: EntitySums) => [of, per, own, squares].map((part) => part?.(entity, totals));
          expect(parts(without), name).to.deep.equal(parts(sums));
        }
      }
    });
    expect([...neededSums('visibility')]).to.have.members(['weightSum', 'present']);
    expect([...neededSums('citation_share')]).to.have.members(['citations']);
  });

  it('have shares of voice that add up to 1 if any entity is mentioned', () => {
    check((of) => {
      const totals = totalsOf(of);
      const shares = everyEntity(of).map((sums) => shareOfVoice(sums, totals));
      if (totals.presences === 0) {
        expect(shares).to.deep.equal([null, null, null]);
        return;
      }
      expect(shares.reduce<number>((sum, share) => sum + share!, 0)).to.be.closeTo(1, 1e-12);
      for (const sums of everyEntity(of)) {
        expect(shareOfVoicePercent(sums, totals)).to.be.closeTo(
          100 * shareOfVoice(sums, totals)!,
          0.05 + 1e-9,
        );
      }
    });
  });

  it('have a visibility that is the run-weighted mean of the visibilities of its engines or days', () => {
    check((of) => {
      fc.pre(of.length > 0);
      const parts = [0, 1, 2, 3].map((engine) => of.filter((each) => each.engine === engine));
      for (let entity = 0; entity < ENTITIES; entity++) {
        const weighted = parts.map(
          (part) => (visibility(sumsOf(part, entity), part.length) ?? 0) * part.length,
        );
        const pooled = weighted.reduce((sum, each) => sum + each, 0) / of.length;
        expect(pooled).to.be.closeTo(visibility(sumsOf(of, entity), of.length)!, 1e-9);
      }
    });
  });

  it('ignore an unscored mention in the sentiment, and an untracked name in the share of voice', () => {
    fc.assert(
      fc.property(runs, run, (of, extra) => {
        const unscored: Run = { ...extra, tones: [null, null, null] };
        const unnamed: Run = { ...extra, ranks: [null, null, null] };
        for (let entity = 0; entity < ENTITIES; entity++) {
          expect(sentimentIndex(sumsOf([...of, unscored], entity))).to.equal(
            sentimentIndex(sumsOf(of, entity)),
          );
          expect(shareOfVoice(sumsOf([...of, unnamed], entity), totalsOf([...of, unnamed]))).to.equal(
            shareOfVoice(sumsOf(of, entity), totalsOf(of)),
          );
        }
      }),
    );
  });

  it('depend on other entities only in the shares', () => {
    fc.assert(
      fc.property(runs, (of) => {
        const without = of.map((each) => ({
          ...each,
          ranks: [each.ranks[0]!, null, null],
          cited: each.cited,
        }));
        const [all, alone] = [sumsOf(of, 0), sumsOf(without, 0)];
        expect(visibility(alone, without.length)).to.equal(visibility(all, of.length));
        expect(presenceRate(alone, without.length)).to.equal(presenceRate(all, of.length));
        expect(avgPosition(alone)).to.equal(avgPosition(all));
        expect(sentimentIndex(alone)).to.equal(sentimentIndex(all));
        expect(citationShare(alone, totalsOf(without), true)).to.equal(
          citationShare(all, totalsOf(of), true),
        );
      }),
    );
  });

  it('stay inside their scales', () => {
    check((of) => {
      const totals = totalsOf(of);
      for (const sums of everyEntity(of)) {
        const within = (value: number | null, maximum: number) =>
          value === null || (value >= 0 && value <= maximum);
        expect(within(presenceRate(sums, of.length), 1)).to.equal(true);
        expect(within(shareOfVoice(sums, totals), 1)).to.equal(true);
        expect(within(citationShare(sums, totals, true), 1)).to.equal(true);
        expect(within(sentimentIndex(sums), 100)).to.equal(true);
        expect(avgPosition(sums) === null || avgPosition(sums)! >= 1).to.equal(true);
      }
    });
  });

  it('compute sentiment as 50 + 50 × (positive − negative) / scored', () => {
    const index = (positive: number, neutral: number, negative: number) =>
      sentimentIndex({ positive, neutral, negative });
    expect([index(1, 0, 0), index(0, 0, 1), index(0, 4, 0), index(3, 3, 3)]).to.deep.equal([100, 0, 50, 50]);
    expect(index(2, 1, 1)).to.equal(62.5);
  });

  it('are null if nothing was measured, and 0 if the entity was absent', () => {
    const nothing = { runs: 0, citations: 0, presences: 0 };
    const something = { runs: 5, citations: 5, presences: 5 };
    expect(presenceRate(NO_SUMS, 0)).to.equal(null);
    expect(visibility(NO_SUMS, 0)).to.equal(null);
    expect(shareOfVoice(NO_SUMS, nothing)).to.equal(null);
    expect(shareOfVoicePercent(NO_SUMS, nothing)).to.equal(null);
    expect(citationShare(NO_SUMS, nothing, true)).to.equal(null);
    expect(presenceRate(NO_SUMS, 5)).to.equal(0);
    expect(visibility(NO_SUMS, 5)).to.equal(0);
    expect(shareOfVoice(NO_SUMS, something)).to.equal(0);
    expect(shareOfVoicePercent(NO_SUMS, something)).to.equal(0);
    expect(citationShare(NO_SUMS, something, true)).to.equal(0);
    expect(citationShare(NO_SUMS, something, false)).to.equal(null);
    expect(avgPosition(NO_SUMS)).to.equal(null);
    expect(sentimentIndex(NO_SUMS)).to.equal(null);
  });

  it('round the percentage from the ratio, not from the rounded fraction', () => {
    const [entity, totals] = [{ present: 1 }, { presences: 2222 }];
    expect(round(shareOfVoice(entity, totals), 3)).to.equal(0);
    const close = { present: 689 };
    const of = { presences: 2000 };
    expect(shareOfVoicePercent(close, of)).to.equal(34.5);
    expect(round(shareOfVoice(close, of), 3)).to.equal(0.345);
    expect(shareOfVoicePercent({ present: 1 }, { presences: 1143 })).to.equal(0.1);
  });

  it('equal the formulas of docs/metrics.md, bit by bit, and have none where those have none', () => {
    const count = fc.nat(1e6);
    const entity = fc.record({
      ...{ present: count, positionSum: count, positive: count, neutral: count, negative: count },
      ...{ weightSum: fc.nat(1e15), citations: count },
    });
    const few = fc.nat(2);
    const none = fc.record({ positive: few, neutral: few, negative: few, citations: few, present: few });
    const sums = fc.oneof(
      entity,
      none.map((some) => ({ ...NO_SUMS, ...some })),
    );
    const maybe = fc.oneof(fc.constant(0), count);
    const totals = fc.record({ runs: maybe, citations: maybe, presences: maybe });
    fc.assert(
      fc.property(sums, totals, fc.boolean(), (of, all, hasDomain) => {
        const tally = { ...of, ...all, ownCitations: of.citations, unscored: 0 };
        const rest = { ...tally, present: all.presences - of.present };
        const expected: Record<MeasureName, number | null> = {
          visibility: reference.visibility(tally),
          presence_rate: reference.presenceRate(tally),
          share_of_voice_fraction: all.presences === 0 ? null : reference.shareOfVoice(tally, [tally, rest]),
          citation_share: reference.citationShare(tally, {
            ...{ id: 'e', name: 'E', names: ['E'], is_brand: true },
            domain: hasDomain ? 'e.example' : '',
          }),
          sentiment_index: reference.sentimentIndex(tally),
        };
        for (const name of measureNames)
          expect(value(name)(of, all, hasDomain), name).to.equal(expected[name]);
        expect(avgPosition(of)).to.equal(reference.averagePosition(tally));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a difference that people read', () => {
  const numberIn = (text: string): number => Number(text.replace('−', '-').replace('±', '').split(' ')[0]);

  it('is that of the two numbers they see, of every metric, and has a true minus', () => {
    const exact = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...measureNames), exact, exact, (metric, now, before) => {
        const [after, then] = [now, before].map((each) =>
          measureOf(metric).scale === 'fraction' ? each / 100 : each,
        );
        const text = differenceText(metric, differenceSeen(metric, after!, then!));
        const seen = numberIn(valueText(metric, after!)) - numberIn(valueText(metric, then!));
        expect(numberIn(text)).to.equal(Number(seen.toFixed(1)));
        expect(text).to.match(/^[+−±]\d/);
      }),
    );
  });

  it('a value below 0 has a true minus, and none where it rounds to 0', () => {
    expect(valueText('visibility', -0.1)).to.equal('−0.1');
    expect(valueText('visibility', -0.01)).to.equal('0.0');
    expect(valueText('share_of_voice_fraction', -0.015)).to.equal('−1.5 %');
  });
});
