import { expect } from 'chai';
import fc from 'fast-check';
import { wordsOf } from '../../../../src/contract/needs.js';
import { textOf } from '../../../../src/contract/phrase.js';
import { needKinds } from '../../../../src/contract/reads/briefing.js';
import type { Sentiment } from '../../../../src/contract/reads/sentiment.js';
import { isNever, type NeedReads, needsOf } from '../../../../src/server/answers/reads/needs.js';
import { uncertain } from '../../../cli/support/fixtures.js';
import { gapsOf } from '../../../cli/support/gap-fixtures.js';
import { moves } from '../../../cli/support/move-fixtures.js';
import { crawlers, factCheck, sentiment } from '../../../cli/support/report-fixtures.js';
import { numbersOf, scorecard } from '../../../contract/support/scorecard.js';

const TODAY = '2026-11-20';

/** The needs of bodies of a brand that is collected every day. */
const found = (bodies: Partial<NeedReads> & Pick<NeedReads, 'overview'>) =>
  needsOf({ today: TODAY, archived: false, newest: TODAY, fault: null, ...bodies });
const textsOf = (bodies: Parameters<typeof found>[0]) =>
  found(bodies).map((need, at) => textOf(wordsOf(need, at).phrase));

/** The value at `briefing.needs.0.facts.count`. */
const valueAt = (field: string, needs: readonly object[]): unknown =>
  field
    .split('.')
    .slice(2)
    .reduce<unknown>((value, name) => (value as { [name: string]: unknown })[name], needs);

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

  it('is nothing where nothing was read, or nothing is wrong', () => {
    expect(found({ overview: quiet })).to.deep.equal([]);
    expect(
      found({ overview: quiet, prompts: prompts.slice(1), sentiment: tones(engine('grok', 90, 3)) }),
    ).to.deep.equal([]);
  });

  it('says never only of enough answers, and where others name the brand', () => {
    const grok = (answers: number, overview = quiet) =>
      textsOf({ overview, sentiment: tones(engine('chatgpt', 900, 400), engine('grok', answers, 0)) });
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
    const [silent, absent] = found({
      overview,
      prompts,
      sentiment: tones(engine('chatgpt', 900, 400), engine('grok', 260, 0)),
    });
    const days = { from: '2026-11-14', to: '2026-11-20' };
    const none = {
      kind: null,
      metric: null,
      tone: null,
      prompt: null,
      topic: null,
      region: null,
      surface: null,
    };
    expect(silent!.lead).to.deep.equal({
      read: 'answers',
      params: { ...none, ...days, engine: 'grok', tag: 'b2b,eu' },
    });
    // The read of prompts takes no tag.
    const params = { ...none, ...days, engine: 'grok,chatgpt', tag: null };
    expect(absent!.lead).to.deep.equal({ read: 'prompts', params });
  });

  const blocked = {
    ...crawlers.agents[0]!,
    ...{ agent: 'x', label: 'OAI-SearchBot', purpose: 'search_index' as const, engine: 'chatgpt' },
    robots: { verdict: 'blocked' as const, rule: null, blocked_path: '/' },
  };

  it('names what is found, the most answers first', () => {
    const overview = scorecard(0.4, { previous: 0.5, difference: -0.1, verdict: 'down' });
    const needs = found({
      overview,
      prompts,
      sentiment: {
        ...sentiment,
        by_engine: [engine('chatgpt', 900, 400), engine('grok', 260, 0), engine('claude', 250, 0)],
      },
      crawlers: { ...crawlers, connected: false, last_event_at: null, agents: [blocked] },
    });
    const [first] = needs;
    expect([first!.lead.read, first!.lead.params.metric]).to.deep.equal(['why', 'presence_rate']);
    expect(first!.lead.params).to.include({ from: overview.window.start, to: overview.window.end });
    expect(needs.map((need, at) => [need.kind, need.worth, textOf(wordsOf(need, at).phrase)])).to.deep.equal([
      [
        'metric_fell',
        1412,
        'Presence is down 10.0 pp, from 50.0 % to 40.0 %; share of voice is down 2.6 pp, from 37.1 % to 34.5 %',
      ],
      ['path_closed', 900, 'robots.txt closes the whole site to OAI-SearchBot, which answers need'],
      ['engine_never_names', 260, 'Grok never names you (0 of 260)'],
      ['engine_never_names', 250, 'Claude never names you (0 of 250)'],
      ['never_named_prompts', 30, '1 of 2 prompts has no answer that names you (0 of 30)'],
      ['bad_tone', 1, '1 of 1,003 answers that name you speaks badly of you'],
      ['logs_silent', null, 'The site was never connected: which AI crawlers visit it is not known'],
    ]);
  });

  const urgent = (more: Partial<NeedReads>) =>
    found({ overview: quiet, ...more }).map((need, at) => [need.kind, textOf(wordsOf(need, at).phrase)]);

  it('says that collection fails or has stalled, and neither of an archived brand', () => {
    const newest = '2026-11-18';
    const fault = { reason: 'OPENAI_API_KEY is not set.', remedy: 'restart' };
    const stalled = ['collection_stalled', 'Collection has stalled: the newest answer is from 18 Nov 2026'];
    expect(urgent({ newest })).to.deep.equal([stalled]);
    expect(urgent({ newest: '2026-11-19' })).to.deep.equal([]);
    expect(urgent({ newest, archived: true })).to.deep.equal([]);
    expect(urgent({ newest, fault, archived: true })).to.deep.equal([]);
    const failed = found({ overview: quiet, newest, fault });
    expect(failed.map(({ kind, facts }) => [kind, facts.fault, facts.since])).to.deep.equal([
      ['collection_failed', fault, newest],
    ]);
    const { phrase, advice } = wordsOf(failed[0]!, 0);
    expect(textOf(phrase)).to.equal('No newer answers come than of 18 Nov 2026: OPENAI_API_KEY is not set');
    expect(textOf(advice)).to.equal('Correct the environment and start the server again.');
  });

  it('says which answers are wrong, of the engines that it is about, before what concerns the most answers', () => {
    const severity = 'high' as const;
    const wrong = { engine: 'grok', claim: 'It closed.', truth: 'It is open.', severity, run_id: null };
    const check = { ...factCheck.fact_check!, stale: false, discrepancies: [wrong] };
    const checked = { ...factCheck, fact_check: check };
    const [first, ...others] = found({
      overview: quiet,
      factCheck: checked,
      sentiment: tones(engine('chatgpt', 900, 400), engine('claude', 260, 0)),
    });
    expect(first!.facts).to.include({ engine: 'grok', said: wrong.claim, truth: wrong.truth });
    expect(others.map(({ kind }) => kind)).to.deep.equal(['engine_never_names']);
    const minor = { ...check, discrepancies: [{ ...wrong, severity: 'low' as const }] };
    expect(urgent({ factCheck: { ...factCheck, fact_check: minor } })).to.deep.equal([]);
    const slice = { ...quiet.slice!, from: null, to: null, prompts: null, topics: null, tags: null };
    const chosen = { ...slice, regions: null, surfaces: null, engines: ['chatgpt'] };
    expect(urgent({ overview: { ...quiet, slice: chosen }, factCheck: checked })).to.deep.equal([]);
  });

  it('says of facts that they were never checked, or how old the check is', () => {
    expect(urgent({ factCheck: { ...factCheck, fact_check: null } })[0]![1]).to.contain('was never compared');
    const old = { ...factCheck.fact_check!, stale: true, age_days: 9, discrepancies: [] };
    expect(urgent({ factCheck: { ...factCheck, fact_check: old } })[0]![1]).to.contain('is 9 days old');
    expect(urgent({ factCheck: { ...factCheck, fact_check: { ...old, stale: false } } })).to.deep.equal([]);
  });

  it('says of logs since when none came', () => {
    const logs = (last_event_at: string) => urgent({ crawlers: { ...crawlers, agents: [], last_event_at } });
    expect(logs('2026-11-18T08:00:00Z')).to.deep.equal([
      ['logs_silent', 'No server log has arrived since 18 Nov 2026'],
    ]);
    expect(logs('2026-11-19T08:00:00Z')).to.deep.equal([]);
  });

  it('says of a closed path how many cited pages lie below it, and to which crawlers', () => {
    const robots = { verdict: 'allowed' as const, rule: null, blocked_path: '/private' };
    const agents = ['A', 'B'].map((label) => ({ ...blocked, agent: label, label, robots }));
    const cited = (path: string, classification = 'owned') => ({
      ...{ url: `https://fernweh.example${path}`, classification },
    });
    const closed = (...urls: object[]) =>
      urgent({
        crawlers: { ...crawlers, agents, last_event_at: `${TODAY}T08:00:00Z` },
        urls: { urls } as unknown as NeedReads['urls'],
      });
    expect(closed(cited('/private/a'), cited('/private/b', 'other'), cited('/open'))).to.deep.equal([
      ['path_closed', 'robots.txt closes /private to A, B: 1 cited page of yours lies below it'],
    ]);
    expect(closed(cited('/open'))).to.deep.equal([]);
  });

  it('has the bad move of the newest night that is worth the most, once, and counts the others', () => {
    const told = (day: string, more = {}) => ({
      ...{ ...moves.moves[0]!, id: day, day },
      ...more,
    });
    const news = (...moves: ReturnType<typeof told>[]) =>
      found({ overview: quiet, moves: { brand: quiet.brand, moves, note: null, notes: [] } }).map(
        ({ facts }) => [facts.subject, facts.count],
      );
    expect(news(told('2026-11-19'), told('2026-11-18'))).to.deep.equal([['2026-11-19', 2]]);
    expect(news(told('2026-11-12'))).to.deep.equal([]);
    expect(news(told('2026-11-19', { role: 'folded' }))).to.deep.equal([]);
    expect(news(told('2026-11-19', { entity: 'c' }))).to.deep.equal([]);
    expect(news(told('2026-11-19', { direction: 'up' }))).to.deep.equal([]);
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
        const needs = found(bodies);
        const order = needs.map(({ worth }) => worth ?? -1);
        expect(order).to.deep.equal([...order].sort((a, b) => b - a));
        needs.forEach((need, at) => {
          expect(needKinds).to.include(need.kind);
          const { phrase, advice } = wordsOf(need, at);
          expect(textOf(phrase) + textOf(advice)).to.not.match(/null|undefined|NaN|svc |`/);
          for (const { field, value } of numbersOf(phrase)) expect(valueAt(field!, needs)).to.equal(value);
        });
      }),
    );
  });
});

describe('what needs you, of gaps', () => {
  const gaps = { sources: gapsOf('sources'), within_reach: gapsOf('within_reach') };
  const foundIn = (more: object) =>
    found({ overview: scorecard(0.4), gaps: { ...gaps, ...more } }).filter(
      ({ lead }) => lead.read === 'gaps',
    );
  const words = (more: object = {}) =>
    foundIn(more).map((need, at) => `${need.kind}: ${textOf(wordsOf(need, at).phrase)}`);

  it('names the best row of each kind, those of the most answers first', () => {
    expect(words()).to.deep.equal([
      'source_to_win: reviews.example is cited by 34 answers without you',
      'within_reach: 2 prompts within reach, the first +1.3 points',
    ]);
  });

  it('takes a page for lost only where chance does not explain it', () => {
    expect(words({ lost_pages: gapsOf('lost_pages') })[0]).to.equal(
      'pages_lost: 1 page of yours is no longer cited: https://www.fernweh.example/guides/grinders had 41 citations',
    );
    const [, likely] = gapsOf('lost_pages').gaps;
    const chance = { ...gapsOf('lost_pages'), gaps: [likely!] };
    expect(words({ lost_pages: chance }).join()).not.to.include('pages_lost');
  });

  it('names pages that the site refuses, and no page for which logs never came', () => {
    expect(words({ crawl: gapsOf('crawl') })).to.include(
      'pages_refused: 1 cited page of yours is refused to crawlers that answers need: https://www.fernweh.example/prices 8 of 9 times',
    );
    const closed = gapsOf('crawl').gaps.slice(1);
    expect(words({ crawl: { ...gapsOf('crawl'), gaps: closed } }).join()).not.to.include('pages_refused');
  });

  it('leads to the list of its kind, and is nothing where a list is empty', () => {
    expect(foundIn({}).map(({ lead }) => [lead.read, lead.params.kind])).to.deep.equal([
      ['gaps', 'sources'],
      ['gaps', 'within_reach'],
    ]);
    const none = { ...gapsOf('sources'), gaps: [] };
    expect(foundIn({ sources: none, within_reach: none })).to.deep.equal([]);
  });
});
