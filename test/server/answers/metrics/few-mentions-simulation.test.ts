/** Intervals and verdicts where an entity is rarely mentioned, on windows that are drawn. */
import { expect } from 'chai';
import { randomOf } from '../../../../src/demo/data/random.js';
import { intervalOf } from '../../../../src/server/answers/metrics/intervals.js';
import { positionWeight, type Sample } from '../../../../src/server/answers/metrics/samples.js';
import { windowEnding } from '../../../../src/server/base/days.js';
import { type Day, sampleWith, verdictOn } from './support/stated-days.js';

interface Setting {
  readonly presence: number;
  /** Runs of a day. */
  readonly runs: number;
  readonly days: number;
  /** The standard deviation of the log odds of a day. */
  readonly shock: number;
}

/** Windows drawn of each setting. */
const WINDOWS = 2000;
const RANKS = [1, 2, 3, 4];

/** Draws windows whose answers mention the entity with a probability, at ranks 1 to 4. */
function drawing(seed: string) {
  const { next } = randomOf(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return ({ presence, runs, days, shock }: Setting): Sample => {
    const day = (): Day => {
      const odds = Math.log(presence / (1 - presence)) + shock * normal();
      const chance = 1 / (1 + Math.exp(-odds));
      const ranks = Array.from({ length: runs }, () => next() < chance).flatMap((isNamed) =>
        isNamed ? [RANKS[Math.floor(next() * RANKS.length)]!] : [],
      );
      const weightSum = ranks.reduce((sum, rank) => sum + positionWeight(rank), 0);
      return { runs, entity: { present: ranks.length, weightSum } };
    };
    return sampleWith(Array.from({ length: days }, day), windowEnding('2026-11-20', days));
  };
}

const MEAN_WEIGHT = RANKS.reduce((sum, rank) => sum + positionWeight(rank) / 1e9, 0) / RANKS.length;

const share = (holds: (at: number) => boolean): number =>
  (100 * Array.from({ length: WINDOWS }, (_, at) => holds(at)).filter(Boolean).length) / WINDOWS;

describe('metric: rare mentions, simulated', () => {
  const settings: Setting[] = [0.005, 0.02, 0.05, 0.1].flatMap((presence) =>
    [0, 0.3].flatMap((shock) =>
      [
        { runs: 4, days: 7 },
        { runs: 16, days: 7 },
        { runs: 80, days: 4 },
        { runs: 16, days: 28 },
      ].map((size) => ({ presence, shock, ...size })),
    ),
  );
  const truthOf = { presence_rate: 1, visibility: 100 * MEAN_WEIGHT } as const;

  for (const setting of settings) {
    const { presence, runs, days, shock } = setting;
    const isRare = presence * runs * days < 5;
    it(`${100 * presence} % of ${runs} answers a day, ${days} days, day shock ${shock}: few false alarms, and intervals cover`, () => {
      const draw = drawing(JSON.stringify(setting));
      const windows = Array.from({ length: WINDOWS }, () => draw(setting));
      for (const metric of ['presence_rate', 'visibility'] as const) {
        const alarms = share(
          (at) => verdictOn(metric, windows[at]!, windows.at(at - 1)!) !== 'no_clear_change',
        );
        // 5 %, and three standard errors of that many draws.
        expect(alarms, `${metric}: false alarms`).to.be.at.most(isRare ? 2.5 : 6.5);
        const truth = presence * truthOf[metric];
        const covered = share((at) => {
          const [low, high] = intervalOf(metric, windows[at]!)!;
          return low <= truth && truth <= high;
        });
        // Rare ranks differ more than a few days show, so that the interval of visibility is a little narrow.
        expect(covered, `${metric}: coverage`).to.be.at.least(metric === 'visibility' ? 91 : 95);
      }
    });
  }

  it('a rise from almost none to 5 % is found in 2 weeks of 5 with 16 answers a day, to 10 % in 9 of 10', () => {
    const found = (to: number) => {
      const draw = drawing(`to ${to}`);
      const week = (presence: number) => draw({ presence, runs: 16, days: 7, shock: 0 });
      return share(() => verdictOn('presence_rate', week(to), week(0.001)) === 'up');
    };
    expect(found(0.05)).to.be.within(36, 44);
    expect(found(0.1)).to.be.within(89, 95);
  });
});
