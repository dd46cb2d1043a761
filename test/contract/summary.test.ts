import { expect } from 'chai';
import fc from 'fast-check';
import type { MetricChange } from '../../src/contract/intervals.js';
import type { Overview } from '../../src/contract/reads/overview.js';
import type { Sentiment } from '../../src/contract/reads/sentiment.js';
import {
  attentionKinds,
  attentionOf,
  isNever,
  MAX_ITEMS,
  type NumberPart,
  type Phrase,
  sentenceOf,
  sharesOf,
  textOf,
} from '../../src/contract/summary.js';
import { tooFewUnits, unitsIn } from '../../src/contract/verdict-reasons.js';
import { overview as measured, uncertain } from '../cli/support/fixtures.js';
import { gapsOf } from '../cli/support/gap-fixtures.js';
import { crawlers, sentiment } from '../cli/support/report-fixtures.js';

const TODAY = '2026-11-20';
const same: MetricChange = {
  previous: 0.37,
  delta: 0.01,
  difference: 0.01,
  verdict: 'no_clear_change',
  reason: null,
};

/** A scorecard of Torvello with a change of its presence. */
const scorecard = (presence: number | null, change: Partial<MetricChange> = {}, rest = {}): Overview => ({
  ...measured,
  brand: { id: 'b', name: 'Torvello', domain: 'torvello.example' },
  presence_rate: presence,
  change: { ...measured.change, presence_rate: { ...same, ...change } },
  ...rest,
});

/** Rows of competitors from their shares; the first is the brand. */
const rows = (...shares: (number | null)[]) =>
  shares.map((share_of_voice_fraction, at) => ({ is_brand: at === 0, share_of_voice_fraction }));
const seven = rows(0.15, 0.3, 0.2, 0.1, 0.1, 0.1, 0.05);

const unknown = (now: number, before: number, unit: 'day' | 'week' = 'day'): Partial<MetricChange> => ({
  previous: before > 0 ? 0.37 : null,
  difference: null,
  verdict: 'unknown',
  reason: tooFewUnits({ unit, now, before }),
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
    'Torvello is named in none of 1,412 answers, nor is any competitor; no clear change from 0 %.',
    scorecard(0, { previous: 0 }),
    rows(0, 0, 0),
  ],
  [
    'Torvello is named in 67 % of only 3 answers; the 7 days before have no answers.',
    scorecard(
      0.667,
      { ...unknown(1, 0), reason: null },
      {
        run_count: 3,
        low_confidence: true,
        has_prior_window: false,
      },
    ),
  ],
  [
    'No answer was collected from 2026-11-14 to 2026-11-20: whether Torvello is named is not known.',
    scorecard(0, {}, { run_count: 0, measured: null, ...uncertain }),
    seven,
  ],
  [
    'No answer was collected from 2026-11-14 to 2026-11-20: whether Torvello is named is not known.',
    scorecard(null, {}, { run_count: 0, measured: null }),
  ],
  [
    'Torvello is named in 38 % of answers; first verdict in 4 days.',
    scorecard(0.378, unknown(7, 0), { has_prior_window: false }),
  ],
  ['Torvello is named in 38 % of answers; first verdict in 1 day.', scorecard(0.378, unknown(7, 3))],
  [
    'Torvello is named in 38 % of answers; change unknown: measured in 4 weeks of this window and 0 of the one before.',
    scorecard(0.378, unknown(4, 0, 'week')),
  ],
  [
    'Torvello is named in 38 % of answers; change unknown: the prompts changed.',
    scorecard(0.378, {
      verdict: 'unknown',
      reason: 'The prompts changed: those asked in both windows make up 0 % of the runs.',
    }),
  ],
];

const numbersOf = (phrase: Phrase): NumberPart[] =>
  phrase.filter((part): part is NumberPart => typeof part === 'object' && 'field' in part);

/** The value at `overview.change.presence_rate.previous`, in bodies by the names of their reads. */
function valueAt(field: string, bodies: { readonly [read: string]: object }): unknown {
  return field.split('.').reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return value.find((one, at) => one.engine === name || String(at) === name);
    return (value as { [name: string]: unknown })[name];
  }, bodies);
}

describe('the sentence', () => {
  for (const [says, overview, competitors = []] of sentences) {
    it(says, () => {
      expect(textOf(sentenceOf({ overview, competitors, today: TODAY }))).to.equal(says);
    });
  }

  it('promises no verdict for a window of the past, for days that are missing, or after collection stopped', () => {
    const about = (rest: object, change = unknown(7, 0), today = TODAY) =>
      textOf(sentenceOf({ overview: scorecard(0.4, change, rest), today }));
    expect(about({}, undefined, '2026-11-22')).to.not.contain('first verdict');
    const days = (first_day: string, last_day: string) => ({ measured: { first_day, last_day } });
    expect(about(days('2026-11-14', '2026-11-17'))).to.not.contain('first verdict');
    expect(about(days('2026-11-16', '2026-11-20'), unknown(5, 2))).to.not.contain('first verdict');
    expect(about(days('2026-11-16', '2026-11-20'), unknown(5, 0))).to.contain('first verdict in 6 days');
  });

  it('has the numbers of the body, as rounded, and a change only with its amount', () => {
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
            if (/ (%|pp)$/.test(text) && !text.startsWith('less'))
              expect(Math.abs(written - 100 * Math.abs(value))).to.be.at.most(0.5 + 1e-9);
          }
          const text = textOf(phrase);
          expect(text)
            .to.match(/^\S.*[^ ]\.$/)
            .and.not.match(/null|undefined|NaN|[▲▼]| {2}/);
          if (/; (up|down)\b/.test(text))
            expect(text).to.match(/\b(?:up|down) (?:less than )?\d+\.\d pp from /);
        },
      ),
    );
  });

  it('has the same rank from mentions as from shares of voice, joint or not', () => {
    const tone = sentiment.entities[0]!;
    const mentions = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(mentions, (counts) => {
        const entities = counts.map((count, at) => ({ ...tone, is_brand: at === 0, mentions: count }));
        const total = Math.max(
          1,
          counts.reduce((sum, count) => sum + count, 0),
        );
        const exact = rows(...counts.map((count) => count / total));
        const overview = scorecard(counts[0] === 0 ? 0 : 0.4);
        const says = (competitors: ReturnType<typeof sharesOf>) =>
          textOf(sentenceOf({ overview, competitors, today: TODAY }));
        expect(says(sharesOf({ entities }))).to.equal(says(exact));
      }),
    );
  });

  it('reads the units of a reason that the server writes, and of no other', () => {
    for (const unit of ['day', 'week'] as const)
      for (const [now, before] of [
        [0, 0],
        [1, 3],
        [14, 2],
      ] as const)
        expect(unitsIn(tooFewUnits({ unit, now, before }))).to.deep.equal({ unit, now, before });
    expect(unitsIn('No domain is known.')).to.equal(null);
  });
});

describe('what needs you', () => {
  const quiet = scorecard(0.4, {}, { change: uncertain.change });
  const prompts = [
    { presence_rate: 0, run_count: 30 },
    { presence_rate: 0.5, run_count: 30 },
    { presence_rate: null, run_count: 0 },
  ];
  const engine = (id: string, run_count: number, mentions: number) => ({
    ...sentiment.by_engine[0]!,
    ...{ engine: id, run_count, mentions },
  });
  const tones = (...by_engine: Sentiment['by_engine']): Sentiment => ({
    ...sentiment,
    entities: sentiment.entities.map((each) => ({ ...each, negative: 0 })),
    by_engine,
  });
  const texts = (bodies: Parameters<typeof attentionOf>[0]) =>
    attentionOf(bodies).map(({ phrase }) => textOf(phrase));

  it('is nothing where nothing was read, or nothing is wrong', () => {
    expect(attentionOf({ overview: quiet })).to.deep.equal([]);
    expect(
      attentionOf({ overview: quiet, prompts: prompts.slice(1), sentiment: tones(engine('grok', 90, 3)) }),
    ).to.deep.equal([]);
  });

  it('says never only of enough answers, and where others name the brand', () => {
    const grok = (answers: number, overview = quiet) =>
      texts({ overview, sentiment: tones(engine('chatgpt', 900, 400), engine('grok', answers, 0)) });
    expect(grok(260)).to.deep.equal(['Grok never names you (0 of 260)']);
    expect(grok(19)).to.deep.equal([]);
    expect(grok(0)).to.deep.equal([]);
    expect(grok(260, scorecard(0, {}, { change: uncertain.change }))).to.deep.equal([]);
    // Of a brand that is rarely named, 260 answers without it are no surprise.
    expect(grok(260, scorecard(0.02, {}, { change: uncertain.change }))).to.deep.equal([]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5000 }),
        fc.float({ min: 0, max: 1, noNaN: true }),
        (n, presence) => {
          if (isNever(n, presence)) {
            expect(n).to.be.at.least(20);
            expect(isNever(n + 1, presence)).to.equal(true);
          }
        },
      ),
    );
  });

  it('leads to the read of the same days and filters', () => {
    const slice = { ...quiet.slice, from: null, to: null, engines: ['grok', 'chatgpt'], prompts: null };
    const overview = {
      ...quiet,
      slice: { ...slice, topics: null, tags: ['b2b', 'eu'], regions: null, surfaces: null },
    };
    const [silent, absent] = attentionOf({
      overview,
      prompts,
      sentiment: tones(engine('chatgpt', 900, 400), engine('grok', 260, 0)),
    });
    const days = { from: '2026-11-14', to: '2026-11-20' };
    expect(silent!.leadsTo).to.deep.equal({
      read: 'answers',
      params: { ...days, engine: 'grok', tag: 'b2b,eu' },
    });
    // The read of prompts takes no tag.
    expect(absent!.leadsTo).to.deep.equal({ read: 'prompts', params: { ...days, engine: 'grok,chatgpt' } });
  });

  it('names what is found, the most answers first, at most five', () => {
    const overview = scorecard(0.4, { previous: 0.5, difference: -0.1, verdict: 'down' });
    const blocked = {
      ...crawlers.agents[0]!,
      ...{ agent: 'x', label: 'OAI-SearchBot', purpose: 'search_index' as const, engine: 'chatgpt' },
      robots: { verdict: 'blocked' as const, rule: null, blocked_path: '/' },
    };
    const found = attentionOf({
      overview,
      prompts,
      sentiment: {
        ...sentiment,
        by_engine: [engine('chatgpt', 900, 400), engine('grok', 260, 0), engine('claude', 250, 0)],
      },
      crawlers: { ...crawlers, connected: false, agents: [blocked] },
    });
    expect(found.map(({ kind }) => kind)).to.deep.equal([
      'metric-down',
      'blocked-crawlers',
      'silent-engine',
      'silent-engine',
      'absent-prompts',
    ]);
    expect(found).to.have.lengthOf(MAX_ITEMS);
    expect(found.map(({ phrase }) => textOf(phrase))).to.deep.equal([
      'Presence is down 10.0 pp, from 50.0 % to 40.0 %; share of voice is down 2.6 pp, from 37.1 % to 34.5 %',
      'robots.txt keeps out 1 crawler that answers need: OAI-SearchBot',
      'Grok never names you (0 of 260)',
      'Claude never names you (0 of 250)',
      '1 of 2 prompts has no answer that names you (0 of 30)',
    ]);
    expect(texts({ overview: quiet, crawlers: { ...crawlers, connected: false, agents: [] } })).to.deep.equal(
      ['The site was never connected: which AI crawlers visit it is not known'],
    );
    expect(texts({ overview: quiet, sentiment: { ...sentiment, by_engine: [] } })).to.deep.equal([
      '1 of 1,003 answers that name you speaks badly of you',
    ]);
  });

  it('has the numbers of the bodies, and no word for a value that is missing', () => {
    const counts = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 3 })), {
      maxLength: 4,
    });
    const ids = ['chatgpt', 'grok', 'claude', 'gemini'];
    fc.assert(
      fc.property(counts, fc.integer({ min: 0, max: 300 }), fc.boolean(), (engines, negative, connected) => {
        const bodies = {
          overview: scorecard(0.4),
          prompts,
          sentiment: {
            ...sentiment,
            entities: sentiment.entities.map((each) => ({ ...each, negative })),
            by_engine: engines.map(([run_count, mentions], at) => engine(ids[at]!, run_count, mentions)),
          },
          crawlers: { ...crawlers, connected },
        };
        const found = attentionOf(bodies);
        expect(found.length).to.be.at.most(MAX_ITEMS);
        const order = found.map(({ answers }) => answers ?? -1);
        expect(order).to.deep.equal([...order].sort((a, b) => b - a));
        for (const { kind, phrase, advice } of found) {
          expect(attentionKinds).to.include(kind);
          expect(textOf(phrase) + advice).to.not.match(/null|undefined|NaN|svc |`/);
          for (const { field, value } of numbersOf(phrase))
            if (field !== null) expect(valueAt(field, bodies), field).to.equal(value);
        }
      }),
    );
  });
});

describe('what needs attention, of gaps', () => {
  const gaps = { sources: gapsOf('sources'), within_reach: gapsOf('within_reach') };
  const found = (more: object) =>
    attentionOf({ overview: scorecard(0.4), gaps: { ...gaps, ...more } }).filter(
      ({ leadsTo }) => leadsTo.read === 'gaps',
    );
  const words = (more: object = {}) => found(more).map(({ kind, phrase }) => `${kind}: ${textOf(phrase)}`);

  it('names the best row of each kind, those of the most answers first', () => {
    expect(words()).to.deep.equal([
      'sources-to-win: reviews.example is cited by 34 answers without you',
      'within-reach: 2 prompts within reach, up to +23.3 points',
    ]);
  });

  it('takes a page for lost only where chance does not explain it', () => {
    expect(words({ lost_pages: gapsOf('lost_pages') })[0]).to.equal(
      'lost-pages: 1 page of yours is cited no more: https://www.fernweh.example/guides/grinders had 41 citations',
    );
    const [, likely] = gapsOf('lost_pages').gaps;
    const chance = { ...gapsOf('lost_pages'), gaps: [likely!] };
    expect(words({ lost_pages: chance }).join()).not.to.include('lost-pages');
  });

  it('names pages that the site refuses, and no page for which logs never came', () => {
    expect(words({ crawl: gapsOf('crawl') })).to.include(
      'refused-pages: 1 cited page of yours is refused to crawlers that answers need: https://www.fernweh.example/prices 8 of 9 times',
    );
    const closed = gapsOf('crawl').gaps.slice(1);
    expect(words({ crawl: { ...gapsOf('crawl'), gaps: closed } }).join()).not.to.include('refused-pages');
  });

  it('leads to the list of its kind, and is nothing where a list is empty', () => {
    expect(found({}).map(({ leadsTo }) => [leadsTo.read, leadsTo.params.kind])).to.deep.equal([
      ['gaps', 'sources'],
      ['gaps', 'within_reach'],
    ]);
    const none = { ...gapsOf('sources'), gaps: [] };
    expect(found({ sources: none, within_reach: none })).to.deep.equal([]);
  });
});
