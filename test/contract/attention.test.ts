import { expect } from 'chai';
import fc from 'fast-check';
import { attentionKinds, attentionOf, isNever, MAX_ITEMS } from '../../src/contract/attention.js';
import { textOf } from '../../src/contract/phrase.js';
import type { Sentiment } from '../../src/contract/reads/sentiment.js';
import { uncertain } from '../cli/support/fixtures.js';
import { gapsOf } from '../cli/support/gap-fixtures.js';
import { crawlers, sentiment } from '../cli/support/report-fixtures.js';
import { numbersOf, scorecard, valueAt } from './support/scorecard.js';

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
    const { leadsTo, advice } = found[0]!;
    expect([leadsTo.read, leadsTo.params.metric, advice]).to.deep.equal([
      'why',
      'presence_rate',
      'See why it fell.',
    ]);
    expect(leadsTo.params).to.include({ from: overview.window!.start, to: overview.window!.end });
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
      'within-reach: 2 prompts within reach, the first worth +1.3 points of your visibility',
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
