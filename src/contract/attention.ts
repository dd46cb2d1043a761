/**
 * What needs attention: one definition for the page, the command and the report. Every number is a field of bodies of reads of
 * the same days and filters, or a count of rows.
 */
import { blendedEngineIds } from './engines.js';
import { engineLabel } from './glossary.js';
import { amountText, type MeasureName, measureNames, measureOf } from './measures.js';
import type { Params } from './params.js';
import { measured, type Phrase, whole } from './phrase.js';
import type { Crawlers } from './reads/crawlers.js';
import type { CrawlGap, GapKind, Gaps, LostPage, PromptWithinReach, SourceGap } from './reads/gaps.js';
import type { Overview } from './reads/overview.js';
import type { Prompt } from './reads/prompts.js';
import type { Sentiment } from './reads/sentiment.js';
import { type ReadName, reads } from './registry.js';
import { plural } from './wording.js';

export const attentionKinds = [
  'metric-down',
  'silent-engine',
  'absent-prompts',
  'negative-answers',
  'sources-to-win',
  'within-reach',
  'lost-pages',
  'refused-pages',
  'blocked-crawlers',
  'no-logs',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

export interface Attention {
  readonly kind: AttentionKind;
  /** The finding, with its numbers, without a full stop. */
  readonly phrase: Phrase;
  /** What to look at, or what to ask for. */
  readonly advice: string;
  /** How many answers of the window it is about; null: not known. The most come first. */
  readonly answers: number | null;
  /** How many citations it is about, where answers are not known. */
  readonly citations?: number;
  /** The read that lists what it is about. */
  readonly leadsTo: {
    readonly read: ReadName;
    readonly params: { readonly [name: string]: string };
  };
}

/** The anchor of a kind of gaps on the page of the brand. */
export const gapsAnchor = (kind: GapKind): string => `gaps-${kind.replaceAll('_', '-')}`;

/** The blocks of the page of the brand that list findings, as anchors. */
export const attentionBlocks: { readonly [K in AttentionKind]: string } = {
  'metric-down': 'visibility',
  'silent-engine': 'engines',
  'absent-prompts': 'absent',
  'negative-answers': 'quotes',
  'blocked-crawlers': 'crawlers',
  'no-logs': 'crawlers',
  'sources-to-win': gapsAnchor('sources'),
  'within-reach': gapsAnchor('within_reach'),
  'lost-pages': gapsAnchor('lost_pages'),
  'refused-pages': gapsAnchor('crawl'),
};

/** Bodies of the same days and filters. What was not read, or was refused, is omitted. */
export interface AttentionReads {
  readonly overview: Overview;
  readonly prompts?: readonly Pick<Prompt, 'presence_rate' | 'run_count'>[] | undefined;
  readonly sentiment?: Sentiment | undefined;
  readonly crawlers?: Crawlers | undefined;
  readonly gaps?: GapReads | undefined;
}

/** Gaps by their kind. */
export type GapReads = { readonly [K in GapKind]?: Gaps | undefined };

/** The kinds of gaps of which the best is something to do; where the brand is absent, prompts tell. */
export const gapsToRead = ['sources', 'within_reach', 'lost_pages', 'crawl'] as const satisfies GapKind[];

export const MAX_ITEMS = 5;

/** What needs attention, the most answers first. */
export function attentionOf(bodies: AttentionReads): Attention[] {
  const found = [
    ...metricsDown(bodies),
    ...silentEngines(bodies),
    ...absentPrompts(bodies),
    ...negativeAnswers(bodies),
    ...sourcesToWin(bodies),
    ...withinReach(bodies),
    ...lostPages(bodies),
    ...refusedPages(bodies),
    ...blockedCrawlers(bodies),
    ...withoutLogs(bodies),
  ];
  const value = ({ answers, citations = -1 }: Attention): number => answers ?? citations;
  return found.sort((a, b) => value(b) - value(a)).slice(0, MAX_ITEMS);
}

/** A read of the same days and filters, as far as it takes them. */
function leadsTo(
  read: ReadName,
  { slice, window }: Overview,
  more: { readonly [name: string]: string } = {},
): Attention['leadsTo'] {
  const joined = (values: readonly string[] | null | undefined) => values?.join(',');
  const chosen: { readonly [name: string]: string | undefined } = {
    from: window?.start,
    to: window?.end,
    engine: joined(slice?.engines),
    prompt: joined(slice?.prompts),
    topic: joined(slice?.topics),
    tag: joined(slice?.tags),
    region: joined(slice?.regions),
    surface: joined(slice?.surfaces),
    ...more,
  };
  const known: Params = reads[read].params;
  const taken = Object.entries(chosen).filter(([name, value]) => value !== undefined && name in known);
  return { read, params: Object.fromEntries(taken) as Attention['leadsTo']['params'] };
}

/** The metrics that moved down, in one item: all are about the same answers. */
function metricsDown({ overview }: AttentionReads): Attention[] {
  const metrics: MeasureName[] = [];
  const fallen = measureNames.flatMap((metric): Phrase[] => {
    const { verdict, previous, difference } = overview.change?.[metric] ?? {};
    const value = overview[metric];
    if (verdict !== 'down' || value === null || previous == null || typeof difference !== 'number') return [];
    metrics.push(metric);
    const field = `overview.change.${metric}`;
    return [
      [
        `${measureOf(metric).label} is down `,
        { field: `${field}.difference`, value: difference, text: amountText(metric, difference) },
        ', from ',
        measured(`${field}.previous`, metric, previous),
        ' to ',
        measured(`overview.${metric}`, metric, value),
      ],
    ];
  });
  const [metric] = metrics;
  if (metric === undefined) return [];
  const phrase = fallen.flatMap((each, at) => [...(at === 0 ? [] : ['; ']), ...each]);
  return [
    {
      kind: 'metric-down',
      phrase: [capital(phrase[0] as string), ...phrase.slice(1)],
      advice: 'See why it fell.',
      answers: overview.run_count,
      leadsTo: leadsTo('why', overview, { metric }),
    },
  ];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * “Never” needs so many answers, and that even the upper bound of the share that names the brand is below this part of the
 * share over all engines: the engine names the brand less often than the others, by more than chance explains.
 */
export const NEVER = { answers: 20, ofPresence: 0.5 } as const;
const Z = 1.96;

/** The upper bound of Wilson’s interval for none of so many answers, as `estimators.wilson` takes their number. */
const upperBoundOfNone = (answers: number): number => Z ** 2 / (answers / 2 + Z ** 2);

/**
 * Whether none of so many answers carries the word “never”.
 * @param presence The share of answers of all engines that name the brand.
 */
export const isNever = (answers: number, presence: number): boolean =>
  answers >= NEVER.answers && upperBoundOfNone(answers) < NEVER.ofPresence * presence;

/** Where no engine names the brand, the sentence says so. */
function silentEngines({ overview, sentiment }: AttentionReads): Attention[] {
  const rows = sentiment?.by_engine ?? [];
  return rows
    .filter(({ mentions, run_count }) => mentions === 0 && isNever(run_count, overview.presence_rate ?? 0))
    .map(({ engine, run_count, mentions }) => ({
      kind: 'silent-engine' as const,
      phrase: [
        { name: engineLabel(engine) },
        ' never names you (',
        whole(`sentiment.by_engine.${engine}.mentions`, mentions),
        ' of ',
        whole(`sentiment.by_engine.${engine}.run_count`, run_count),
        ')',
      ],
      advice: 'See whom it names instead.',
      answers: run_count,
      leadsTo: leadsTo('answers', overview, { engine }),
    }));
}

function absentPrompts({ overview, prompts = [] }: AttentionReads): Attention[] {
  const asked = prompts.filter(({ run_count }) => run_count > 0);
  const absent = asked.filter(({ presence_rate }) => presence_rate === 0);
  if (absent.length === 0) return [];
  const answers = absent.reduce((sum, { run_count }) => sum + run_count, 0);
  const phrase: Phrase = [
    whole(null, absent.length),
    ' of ',
    whole(null, asked.length),
    plural(asked.length, ' prompt'),
    plural(absent.length, ' has', ' have'),
    ' no answer that names you (0 of ',
    whole(null, answers),
    ')',
  ];
  return [
    {
      kind: 'absent-prompts',
      phrase,
      advice: 'See who is named and cited there.',
      answers,
      leadsTo: leadsTo('prompts', overview),
    },
  ];
}

function negativeAnswers({ overview, sentiment }: AttentionReads): Attention[] {
  const at = sentiment?.entities.findIndex(({ is_brand }) => is_brand) ?? -1;
  const { negative, mentions } = sentiment?.entities[at] ?? {};
  if (!negative || !mentions) return [];
  const field = `sentiment.entities.${at}`;
  return [
    {
      kind: 'negative-answers',
      phrase: [
        whole(`${field}.negative`, negative),
        ' of ',
        whole(`${field}.mentions`, mentions),
        plural(mentions, ' answer'),
        ' that name you ',
        plural(negative, 'speaks', 'speak'),
        ' badly of you',
      ],
      advice: 'Read what they criticise.',
      answers: negative,
      leadsTo: leadsTo('answers', overview, {
        tone: 'negative',
        engine: (sentiment?.engines ?? blendedEngineIds).join(),
      }),
    },
  ];
}

// The best of each kind of gaps.

const rowsOf = <Row>(body: Gaps | undefined): readonly Row[] => (body?.gaps ?? []) as unknown as Row[];

function sourcesToWin({ overview, gaps }: AttentionReads): Attention[] {
  const [first] = rowsOf<SourceGap>(gaps?.sources);
  if (first === undefined) return [];
  const { domain, answers } = first;
  return [
    {
      kind: 'sources-to-win',
      phrase: [
        { name: domain },
        ' is cited by ',
        whole('gaps.0.answers', answers),
        ` ${plural(answers, 'answer', 'answers')} without you`,
      ],
      advice: 'See which rivals they name.',
      answers,
      leadsTo: leadsTo('gaps', overview, { kind: 'sources' }),
    },
  ];
}

/** One that rounds to nothing is not shown as nothing. */
const gainText = (points: number): string =>
  points < 0.05 ? 'less than 0.1 points' : `+${points.toFixed(1)} points`;

function withinReach({ overview, gaps }: AttentionReads): Attention[] {
  const rows = rowsOf<PromptWithinReach>(gaps?.within_reach);
  const [first] = rows;
  if (first === undefined) return [];
  return [
    {
      kind: 'within-reach',
      phrase: [
        whole(null, rows.length),
        plural(rows.length, ' prompt'),
        plural(rows.length, ' within reach, worth ', ' within reach, the first worth '),
        { field: 'gaps.0.brand_gain', value: first.brand_gain, text: gainText(first.brand_gain) },
        ' of your visibility',
      ],
      advice: 'See who is named before you.',
      answers: rows.reduce((sum, { answers }) => sum + answers, 0),
      leadsTo: leadsTo('gaps', overview, { kind: 'within_reach' }),
    },
  ];
}

/** The largest p value of a page that is said to be lost. */
const LOST_BELOW = 0.05;

function lostPages({ overview, gaps }: AttentionReads): Attention[] {
  const rows = rowsOf<LostPage>(gaps?.lost_pages);
  const lost = rows.filter(({ p_value }) => p_value <= LOST_BELOW);
  const [first] = lost;
  if (first === undefined) return [];
  return [
    {
      kind: 'lost-pages',
      phrase: [
        whole(null, lost.length),
        plural(lost.length, ' page of yours is', ' pages of yours are'),
        ' cited no more: ',
        { name: first.url },
        ' had ',
        whole(`gaps.${rows.indexOf(first)}.citations_before`, first.citations_before),
        plural(first.citations_before, ' citation'),
      ],
      advice: 'See what is cited instead.',
      answers: null,
      citations: lost.reduce((sum, { citations_before }) => sum + citations_before, 0),
      leadsTo: leadsTo('gaps', overview, { kind: 'lost_pages' }),
    },
  ];
}

function refusedPages({ overview, gaps }: AttentionReads): Attention[] {
  const rows = rowsOf<CrawlGap>(gaps?.crawl);
  const refused = rows.filter(({ fault }) => fault === 'refused');
  const [first] = refused;
  if (first === undefined || first.refused === null || first.requests === null) return [];
  const row = `gaps.${rows.indexOf(first)}`;
  return [
    {
      kind: 'refused-pages',
      phrase: [
        whole(null, refused.length),
        plural(refused.length, ' cited page of yours is', ' cited pages of yours are'),
        ' refused to crawlers that answers need: ',
        { name: first.url },
        ' ',
        whole(`${row}.refused`, first.refused),
        ' of ',
        whole(`${row}.requests`, first.requests),
        plural(first.requests, ' time'),
      ],
      advice: 'Ask whoever runs the site to let them in.',
      answers: null,
      citations: refused.reduce((sum, { citations }) => sum + citations, 0),
      leadsTo: leadsTo('gaps', overview, { kind: 'crawl' }),
    },
  ];
}

/** Crawlers that feed answers and that robots.txt keeps out of the whole site. */
function blockedCrawlers({ overview, sentiment, crawlers }: AttentionReads): Attention[] {
  const blocked = (crawlers?.agents ?? []).filter(
    ({ purpose, robots }) =>
      (purpose === 'search_index' || purpose === 'user_fetch') && robots?.verdict === 'blocked',
  );
  if (blocked.length === 0) return [];
  const fed = new Set(blocked.flatMap(({ engine }) => engine ?? []));
  const known = (sentiment?.by_engine ?? []).filter(({ engine }) => fed.has(engine));
  const names = blocked.flatMap(({ label }, at) => [...(at === 0 ? [] : [', ']), { name: label }]);
  return [
    {
      kind: 'blocked-crawlers',
      phrase: [
        'robots.txt keeps out ',
        whole(null, blocked.length),
        plural(blocked.length, ' crawler'),
        ' that answers need: ',
        ...names,
      ],
      advice: 'Ask whoever runs the site to let them in.',
      answers: known.length === 0 ? null : known.reduce((sum, { run_count }) => sum + run_count, 0),
      leadsTo: leadsTo('crawlers', overview),
    },
  ];
}

function withoutLogs({ overview, crawlers }: AttentionReads): Attention[] {
  if (crawlers === undefined || crawlers.connected) return [];
  return [
    {
      kind: 'no-logs',
      phrase: ['The site was never connected: which AI crawlers visit it is not known'],
      advice: 'Ask whoever runs the site to send its server logs.',
      answers: null,
      leadsTo: leadsTo('crawlers', overview),
    },
  ];
}
