/** Intervals and verdicts where an entity is rarely mentioned, or nearly always. */
import { expect } from 'chai';
import fc from 'fast-check';
import { changeOf } from '../../../../src/server/answers/metrics/change.js';
import { intervalOf } from '../../../../src/server/answers/metrics/intervals.js';
import { positionWeight, type Sample } from '../../../../src/server/answers/metrics/samples.js';
import { type Window, windowBefore, windowEnding } from '../../../../src/server/base/days.js';
import { type Day, SAME, sampleWith, verdictOn } from './support/stated-days.js';

/** A number divided into days, the first days with one more. */
const divided = (number: number, days = 7): number[] =>
  Array.from({ length: days }, (_, at) => Math.floor(number / days) + (at < number % days ? 1 : 0));

/** A week of runs, so many of which mention the entity first, at most one a day more than on the others. */
const mentionedIn = (runs: number, present: number): Sample => {
  const [ofDay, named] = [divided(runs), divided(present)];
  const day = (at: number): Day => ({
    runs: ofDay[at]!,
    others: ofDay[at]!,
    entity: { present: named[at]!, weightSum: named[at]! * positionWeight(1) },
  });
  return sampleWith(ofDay.map((_, at) => day(at)));
};

const MENTIONED = ['visibility', 'presence_rate', 'share_of_voice_fraction'] as const;

describe('metric: few mentions', () => {
  it('3 of 109 answers after 0 of 112 are no clear change, and the difference is stated', () => {
    const comparison = {
      current: mentionedIn(109, 3),
      previous: mentionedIn(112, 0),
      panel: SAME,
      surfaces: [],
    };
    expect(changeOf('visibility', comparison)).to.deep.equal({
      previous: 0,
      delta: null,
      difference: 2.8,
      verdict: 'no_clear_change',
      reason: null,
      reason_fact: null,
    });
    for (const metric of MENTIONED)
      expect(changeOf(metric, comparison).verdict, metric).to.equal('no_clear_change');
    expect(changeOf('presence_rate', comparison).difference).to.equal(0.028);
  });

  it('a move that is clear is one, from none and to none', () => {
    for (const metric of MENTIONED) {
      expect(verdictOn(metric, mentionedIn(112, 30), mentionedIn(112, 0)), metric).to.equal('up');
      expect(verdictOn(metric, mentionedIn(112, 0), mentionedIn(112, 30)), metric).to.equal('down');
    }
  });

  it('a share that nearly always counts is judged as one that rarely does', () => {
    expect(verdictOn('presence_rate', mentionedIn(109, 106), mentionedIn(112, 112))).to.equal(
      'no_clear_change',
    );
    expect(verdictOn('presence_rate', mentionedIn(112, 80), mentionedIn(112, 112))).to.equal('down');
  });

  it('from five mentions in both windows on, only days decide', () => {
    // The days of each window are nearly alike, so that the variance by days is far below that of independent answers.
    expect(verdictOn('presence_rate', mentionedIn(112, 14), mentionedIn(112, 7))).to.equal('up');
    expect(verdictOn('presence_rate', mentionedIn(112, 11), mentionedIn(112, 4))).to.equal('no_clear_change');
  });

  it('citations and scored mentions have the same rule', () => {
    const citing = (own: number) =>
      sampleWith(divided(own).map((citations) => ({ runs: 16, citations: 16, entity: { citations } })));
    expect(verdictOn('citation_share', citing(3), citing(0))).to.equal('no_clear_change');
    expect(verdictOn('citation_share', citing(112), citing(109))).to.equal('no_clear_change');
    expect(verdictOn('citation_share', citing(35), citing(0))).to.equal('up');
    const scored = (tone: 'positive' | 'negative', times: number) =>
      sampleWith(divided(times, 4).map((count) => ({ runs: 16, entity: { present: count, [tone]: count } })));
    // Four days of one scored mention each: (4 + 4 + 2) / 10 − 0 is 1, and t(6) · √(1/4 + 1/4) is 1.73.
    expect(verdictOn('sentiment_index', scored('positive', 4), scored('negative', 4))).to.equal('up');
    const neutral = sampleWith(
      Array.from({ length: 4 }, () => ({ runs: 16, entity: { present: 1, neutral: 1 } })),
    );
    expect(verdictOn('sentiment_index', scored('positive', 4), neutral)).to.equal('no_clear_change');
    expect(verdictOn('sentiment_index', scored('positive', 8), scored('positive', 4))).to.equal(
      'no_clear_change',
    );
  });

  it('0 of 121 answers of a week read 0 to 6 %, and 0 to 6', () => {
    const none = mentionedIn(121, 0);
    expect(intervalOf('presence_rate', none)).to.deep.equal([0, 0.06]);
    expect(intervalOf('visibility', none)).to.deep.equal([0, 6]);
    expect(intervalOf('share_of_voice_fraction', none)).to.deep.equal([0, 0.06]);
  });

  it('at an end of its scale every metric has the interval of a share', () => {
    const toned = (tone: 'positive' | 'negative' | 'neutral') =>
      sampleWith(divided(121).map((count) => ({ runs: 30, entity: { present: count, [tone]: count } })));
    expect(intervalOf('sentiment_index', toned('negative'))).to.deep.equal([0, 6]);
    expect(intervalOf('sentiment_index', toned('positive'))).to.deep.equal([94, 100]);
    expect(intervalOf('sentiment_index', toned('neutral'))).to.deep.equal([50, 50]);
    const all = mentionedIn(121, 121);
    expect(intervalOf('visibility', all)).to.deep.equal([94, 100]);
    expect(intervalOf('presence_rate', all)).to.deep.equal([0.94, 1]);
    const cited = sampleWith(divided(121).map((citations) => ({ runs: 1, citations, entity: {} })));
    expect(intervalOf('citation_share', cited)).to.deep.equal([0, 0.06]);
  });

  it('calls a rise what it calls a fall the other way round, and no change a move', () => {
    const week = fc
      .integer({ min: 7, max: 300 })
      .chain((runs) => fc.tuple(fc.constant(runs), fc.integer({ min: 0, max: Math.floor(runs / 7) })));
    const opposite = { up: 'down', down: 'up', no_clear_change: 'no_clear_change', unknown: 'unknown' };
    fc.assert(
      fc.property(week, week, fc.constantFrom(...MENTIONED), (one, other, metric) => {
        const [a, b] = [mentionedIn(...one), mentionedIn(...other)];
        expect(verdictOn(metric, b, a)).to.equal(opposite[verdictOn(metric, a, b)]);
        expect(verdictOn(metric, a, a)).to.equal('no_clear_change');
      }),
    );
  });

  it('holds for windows whose days are related', () => {
    const window = windowEnding('2026-11-20', 28);
    const month = (present: number, of: Window) =>
      sampleWith(
        divided(present, 28).map((count) => ({
          runs: 4,
          entity: { present: count, weightSum: count * positionWeight(1) },
        })),
        of,
      );
    const [now, before] = [month(3, window), month(0, windowBefore(window))];
    expect(now.related).to.equal(7);
    expect(verdictOn('visibility', now, before)).to.equal('no_clear_change');
    // z² / (56 + z²): 112 answers.
    expect(intervalOf('visibility', before)).to.deep.equal([0, 6.4]);
  });
});
