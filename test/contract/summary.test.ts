import { expect } from 'chai';
import fc from 'fast-check';
import { measuredDaysOf, tooFewDays } from '../../src/contract/enough-days.js';
import type { MetricChange } from '../../src/contract/intervals.js';
import { fact } from '../../src/contract/notes.js';
import { textOf } from '../../src/contract/phrase.js';
import type { Overview } from '../../src/contract/reads/overview.js';
import { type Instead, sentenceOf } from '../../src/contract/summary.js';
import { uncertain } from '../cli/support/fixtures.js';
import { numbersOf, scorecard, valueAt } from './support/scorecard.js';

const TODAY = '2026-11-20';

/** Rows of competitors from their shares; the first is the brand. */
const rows = (...shares: (number | null)[]) =>
  shares.map((share_of_voice_fraction, at) => ({ is_brand: at === 0, share_of_voice_fraction }));
const seven = rows(0.15, 0.3, 0.2, 0.1, 0.1, 0.1, 0.05);

/** Of so many days in a row. */
const inARow = (count: number) => Array.from({ length: count }, (_, ago) => ago);
const unknown = (now: number, before: number, related = 1): Partial<MetricChange> => ({
  previous: before > 0 ? 0.37 : null,
  difference: null,
  verdict: 'unknown',
  reason_fact: tooFewDays({ related, now: inARow(now), before: inARow(before) }),
});

const sentences: readonly (readonly [
  says: string,
  overview: Overview,
  competitors?: ReturnType<typeof rows>,
])[] = [
  [
    'Torvello is named in 38 % of answers, third of seven brands; no clear change from 37 %.',
    scorecard(0.378),
    seven,
  ],
  [
    'Torvello is named in 43.1 % of answers, first of two brands; up 6.0 pp from 37.1 %.',
    scorecard(0.431, { previous: 0.371, difference: 0.06, verdict: 'up' }),
    rows(0.6, 0.4),
  ],
  [
    'Torvello is named in 31.0 % of answers, joint second of three brands; down 6.1 pp from 37.1 %.',
    scorecard(0.31, { previous: 0.371, difference: -0.061, verdict: 'down' }),
    rows(0.2, 0.6, 0.2),
  ],
  [
    'Torvello is named in 38 % of answers, with no competitor to compare with; no clear change from 37 %.',
    scorecard(0.378),
    rows(1),
  ],
  ['Torvello is named in 38 % of answers; no clear change from 37 %.', scorecard(0.378)],
  [
    'Torvello is named in 0.4 % of answers, 13th of 13 brands; no clear change from 0 %.',
    scorecard(0.004, { previous: 0 }),
    rows(0.001, ...Array.from({ length: 12 }, (_, at) => 0.1 - at / 1000)),
  ],
  ['Torvello is named in 99.9 % of answers; no clear change from 100 %.', scorecard(0.999, { previous: 1 })],
  [
    'Torvello is named in none of 1,412 answers, two of its three competitors are; no clear change from 0.2 %.',
    scorecard(0, { previous: 0.002 }),
    rows(0, 0.5, 0.5, 0),
  ],
  [
    'Torvello is named in none of 1,412 answers, all its competitors are; nor was it before.',
    scorecard(0, { previous: 0 }),
    rows(0, 0.5, 0.5),
  ],
  [
    'Torvello is named in none of 1,412 answers, nor is any competitor; nor was it before.',
    scorecard(0, { previous: 0 }),
    rows(0, 0, 0),
  ],
  [
    'Torvello is named in 67 % of only 3 answers; the 7 days before have no answers.',
    scorecard(
      0.667,
      { ...unknown(1, 0), reason_fact: null },
      {
        run_count: 3,
        low_confidence: true,
        has_prior_window: false,
      },
    ),
  ],
  [
    'No answer was collected from 14 Nov 2026 to 20 Nov 2026: whether Torvello is named is not known.',
    scorecard(0, {}, { run_count: 0, measured: null, ...uncertain }),
    seven,
  ],
  [
    'No answer was collected from 14 Nov 2026 to 20 Nov 2026: whether Torvello is named is not known.',
    scorecard(null, {}, { run_count: 0, measured: null }),
  ],
  [
    'Torvello is named in 38 % of answers; first verdict in 4 days.',
    scorecard(0.378, unknown(7, 0), { has_prior_window: false }),
  ],
  ['Torvello is named in 38 % of answers; first verdict in 1 day.', scorecard(0.378, unknown(7, 3))],
  [
    'Torvello is named in 38 % of answers; change unknown: measured on 4 days of this window and 0 of the one before.',
    scorecard(0.378, unknown(4, 0), {
      measured: { first_day: '2026-11-14', last_day: '2026-11-17', days: 4 },
    }),
  ],
  [
    'Torvello is named in 38 % of answers; first verdict in 12 days.',
    scorecard(0.378, unknown(28, 5, 7), {
      window: { start: '2026-10-24', end: '2026-11-20', days: 28 },
      measured: { first_day: '2026-10-24', last_day: '2026-11-20', days: 28 },
    }),
  ],
  [
    'Torvello is named in 38 % of answers; change unknown: the prompts changed.',
    scorecard(0.378, {
      verdict: 'unknown',
      reason_fact: fact('other_prompts', { share: 0, share_before: 0 }),
    }),
  ],
];

describe('the sentence', () => {
  for (const [says, overview, competitors = []] of sentences) {
    it(says, () => {
      expect(textOf(sentenceOf({ overview, competitors, today: TODAY }))).to.equal(says);
    });
  }

  it('says what the days have, where the overview has no answer', () => {
    const overview = scorecard(null, {}, { run_count: 0, measured: null });
    const about = (instead: Instead) => textOf(sentenceOf({ overview, today: TODAY, instead }));
    expect(about('statistics')).to.equal(
      'No answer is stored from 14 Nov 2026 to 20 Nov 2026, only daily statistics: whether Torvello is named is not known.',
    );
    expect(about('others')).to.equal(
      'Answers were collected from 14 Nov 2026 to 20 Nov 2026, but none of this choice: whether Torvello is named is not known.',
    );
  });

  it('promises no verdict for a window of the past, for days that are missing, or after collection stopped', () => {
    const about = (rest: object, change = unknown(7, 0), today = TODAY) =>
      textOf(sentenceOf({ overview: scorecard(0.4, change, rest), today }));
    expect(about({}, undefined, '2026-11-22')).to.not.contain('first verdict');
    const days = (first_day: string, last_day: string) => ({ measured: { first_day, last_day } });
    expect(about(days('2026-11-14', '2026-11-17'))).to.not.contain('first verdict');
    expect(about(days('2026-11-16', '2026-11-20'), unknown(5, 2))).to.not.contain('first verdict');
    expect(about(days('2026-11-16', '2026-11-20'), unknown(5, 0))).to.contain('first verdict in 6 days');
  });

  it('has the numbers of the body, as rounded, and a change only with its amount: that of the two numbers it tells', () => {
    const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
    const change = fc.record({
      previous: fc.option(share),
      difference: fc.option(fc.integer({ min: -1000, max: 1000 }).map((one) => one / 1000)),
      verdict: fc.constantFrom(
        'up' as const,
        'down' as const,
        'no_clear_change' as const,
        'unknown' as const,
      ),
    });
    const shares = fc.array(fc.option(share), { maxLength: 30 });
    fc.assert(
      fc.property(
        share,
        change,
        shares,
        fc.integer({ min: 0, max: 99_999 }),
        (presence, moved, all, run_count) => {
          const overview = scorecard(presence, moved, { run_count });
          const phrase = sentenceOf({ overview, competitors: rows(...all), today: TODAY });
          for (const { field, value, text } of numbersOf(phrase)) {
            expect(valueAt(field!, { overview }), field!).to.equal(value);
            const written = Number(text.replace(/[^\d.]/g, ''));
            if (field!.endsWith('.difference')) continue;
            if (/ (%|pp)$/.test(text))
              expect(Math.abs(written - 100 * Math.abs(value))).to.be.at.most(0.5 + 1e-9);
          }
          const text = textOf(phrase);
          expect(text)
            .to.match(/^\S.*[^ ]\.$/)
            .and.not.match(/null|undefined|NaN|[▲▼]| {2}/);
          if (/; (up|down)\b/.test(text))
            expect(text).to.match(/\b(?:up|down) (?:less than )?\d+\.\d pp from /);
          const [, now, by, before] =
            /(\d+\.\d) %.*; (?:up|down) (\d+\.\d) pp from (\d+\.\d) %/.exec(text) ?? [];
          if (by !== undefined) expect(by).to.equal(Math.abs(Number(now) - Number(before)).toFixed(1));
        },
      ),
    );
  });

  it('reads the days of a reason that the server writes, and of no other', () => {
    for (const related of [1, 7])
      for (const [now, before] of [
        [0, 0],
        [1, 3],
        [14, 2],
      ] as const)
        expect(
          measuredDaysOf(tooFewDays({ related, now: inARow(now), before: inARow(before) })),
        ).to.deep.equal({ now, before });
    expect(measuredDaysOf(fact('no_domain'))).to.equal(null);
  });
});
