/** What needs people, in words: one table for every face. Each number is a fact of the briefing. */
import { remedyText } from './collection.js';
import { capital, engineLabel } from './glossary.js';
import { FACT_CHECK_STALE_DAYS } from './limits.js';
import { amountText, differenceSeen, measureOf } from './measures.js';
import { measured, type NumberPart, type Phrase, whole } from './phrase.js';
import type { Need, NeedFacts, NeedKind } from './reads/briefing.js';
import { plural, withoutStop } from './wording.js';

/** Needs that faces show at once. */
export const MAX_ITEMS = 5;

export interface NeedWords {
  /** The finding, with its numbers, without a full stop. */
  readonly phrase: Phrase;
  /** What to look at, or what to ask for. */
  readonly advice: Phrase;
}

type Count = 'count' | 'of' | 'refused';

/** The facts of one need, and its numbers with the names of their fields. */
interface Told extends NeedFacts {
  readonly whole: (fact: Count) => NumberPart;
  /** What it is worth. */
  readonly worth: NumberPart;
  readonly field: (fact: string) => string;
  /** The read that it leads to. */
  readonly read: string;
}

type Words = (facts: Told) => readonly [phrase: Phrase, advice: string | Phrase];

const OPERATOR = 'Ask whoever operates this server';
const SITE = 'Ask whoever runs the site';
const COLLECTION_ADVICE = `${OPERATOR} to look at the collection.`;
const pages = (count: number | null, one: string, many: string) =>
  plural(count ?? 0, ` page of yours ${one}`, ` pages of yours ${many}`);

/** The advice for a move, by the read that it leads to. */
const NEWS_ADVICE: { readonly [read: string]: string } = {
  moves: COLLECTION_ADVICE,
  crawlers: 'See what crawlers do.',
};

const words: { readonly [K in NeedKind]: Words } = {
  collection_failed: ({ fault, since }) => [
    [
      'No newer answers come',
      ...sinceDay(since, ' than of '),
      ': ',
      { name: withoutStop(fault?.reason ?? '') },
    ],
    (fault && remedyText(fault)) ?? COLLECTION_ADVICE,
  ],
  collection_stalled: ({ since }) => [
    ['Collection has stalled', ...sinceDay(since, ': the newest answer is from ')],
    COLLECTION_ADVICE,
  ],
  bad_news: ({ said, reason, count, read }) => [
    [{ name: withoutStop(said ?? '') }],
    [
      reason === null ? (NEWS_ADVICE[read] ?? 'See why.') : { name: reason },
      ...(count === null || count < 2
        ? []
        : [` ${count - 1} ${plural(count - 1, 'move', 'moves')} more in the last ${NEWS_DAYS} days.`]),
    ],
  ],
  wrong_fact: ({ engine, said, truth }) => [
    ['An answer of ', { name: engineLabel(engine ?? '') }, ' is wrong: “', { name: said ?? '' }, '”'],
    ['The truth: “', { name: truth ?? '' }, '”'],
  ],
  metric_fell: ({ metrics, field }) => [
    (metrics ?? []).flatMap(({ metric, value, previous, difference }, at): Phrase => {
      const { label } = measureOf(metric);
      const of = (name: string) => field(`metrics.${at}.${name}`);
      return [
        at === 0 ? capital(label) : `; ${label}`,
        ' is down ',
        {
          field: of('difference'),
          value: difference,
          text: amountText(metric, differenceSeen(metric, value, previous)),
        },
        ', from ',
        measured(of('previous'), metric, previous),
        ' to ',
        measured(of('value'), metric, value),
      ];
    }),
    'See why it fell.',
  ],
  path_closed: ({ subject, crawlers, count, whole: number }) => [
    [
      'robots.txt closes ',
      subject === '/' ? 'the whole site' : { name: subject ?? '' },
      ' to ',
      ...(crawlers ?? []).flatMap((label, at): Phrase => [...(at === 0 ? [] : [', ']), { name: label }]),
      ...(count === null
        ? [', which answers need']
        : [
            ': ',
            number('count'),
            plural(count, ' cited page of yours lies', ' cited pages of yours lie'),
            ' below it',
          ]),
    ],
    subject === '/' ? `${SITE} to let them in.` : `${SITE} to open the path.`,
  ],
  crawlers_refused: ({ crawlers, whole: number, of }) => [
    [
      'robots.txt lets ',
      ...(crawlers ?? []).flatMap((label, at): Phrase => [...(at === 0 ? [] : [', ']), { name: label }]),
      ' in, but the site refused ',
      number('refused'),
      ' of ',
      number('of'),
      plural(of ?? 0, ' request'),
    ],
    'Ask whoever runs the site, or its CDN, to let them in.',
  ],
  engine_never_names: ({ engine, whole: number }) => [
    [{ name: engineLabel(engine ?? '') }, ' never names you (', number('count'), ' of ', number('of'), ')'],
    'See whom it names instead.',
  ],
  never_named_prompts: ({ count, of, whole: number, worth }) => [
    [
      number('count'),
      ' of ',
      number('of'),
      plural(of ?? 0, ' prompt'),
      plural(count ?? 0, ' has', ' have'),
      ' no answer that names you (0 of ',
      worth,
      ')',
    ],
    'See who is named and cited there.',
  ],
  within_reach: ({ count, gain, field, whole: number }) => [
    [
      number('count'),
      plural(count ?? 0, ' prompt'),
      plural(count ?? 0, ' within reach: ', ' within reach, the first '),
      { field: field('gain'), value: gain ?? 0, text: gainText(gain ?? 0) },
    ],
    'See who is named before you.',
  ],
  source_to_win: ({ subject, count, whole: number }) => [
    [
      { name: subject ?? '' },
      ' is cited by ',
      number('count'),
      ` ${plural(count ?? 0, 'answer', 'answers')} without you`,
    ],
    'See which rivals they name.',
  ],
  bad_tone: ({ count, of, whole: number }) => [
    [
      number('count'),
      ' of ',
      number('of'),
      plural(of ?? 0, ' answer'),
      ' that name you ',
      plural(count ?? 0, 'speaks', 'speak'),
      ' badly of you',
    ],
    'Read what they criticise.',
  ],
  pages_lost: ({ subject, count, of, whole: number }) => [
    [
      number('count'),
      pages(count, 'is', 'are'),
      ' no longer cited: ',
      { name: subject ?? '' },
      ' had ',
      number('of'),
      plural(of ?? 0, ' citation'),
    ],
    'See what is cited instead.',
  ],
  pages_refused: ({ subject, count, of, whole: number }) => [
    [
      number('count'),
      plural(count ?? 0, ' cited page of yours is', ' cited pages of yours are'),
      ' refused to crawlers that answers need: ',
      { name: subject ?? '' },
      ' ',
      number('refused'),
      ' of ',
      number('of'),
      plural(of ?? 0, ' time'),
    ],
    `${SITE} to let them in.`,
  ],
  logs_silent: ({ since }) =>
    since === null
      ? [
          ['The site was never connected: which AI crawlers visit it is not known'],
          `${SITE} to send its server logs.`,
        ]
      : [['No server log has arrived', ...sinceDay(since, ' since ')], `${SITE} to check the log shipping.`],
  facts_stale: ({ count, since, whole: number }) =>
    since === null
      ? [
          ['What answers say was never compared with the facts of the brand'],
          `${OPERATOR} to run a fact check.`,
        ]
      : [
          count === null
            ? ['The age of the fact check is not known: its time is unreadable']
            : [
                'The fact check is ',
                number('count'),
                ` ${plural(count, 'day')} old: after ${FACT_CHECK_STALE_DAYS} days answers may have changed`,
              ],
          `${OPERATOR} to run it again.`,
        ],
};

/** Moves of the last days are news. */
export const NEWS_DAYS = 7;

const sinceDay = (day: string | null, before: string): Phrase => (day === null ? [] : [before, { day }]);

/** One that rounds to nothing is not shown as nothing. */
const gainText = (points: number): string =>
  points < 0.05 ? 'less than 0.1 points' : `+${points.toFixed(1)} points`;

/** What stands of a need before it has words. */
export type BareNeed = Pick<Need, 'id' | 'worth' | 'facts' | 'lead'> & { readonly kind: NeedKind };

/**
 * @param at Its place among the needs of the briefing.
 * @param isAside Whether it is among those that are set aside.
 */
export function wordsOf(
  { kind, worth, facts, lead }: Omit<BareNeed, 'id'>,
  at: number,
  isAside = false,
): NeedWords {
  const need = isAside ? `briefing.aside.${at}.need` : `briefing.needs.${at}`;
  const field = (fact: string): string => `${need}.facts.${fact}`;
  const [phrase, advice] = words[kind]({
    ...facts,
    field,
    read: lead.read,
    whole: (fact) => whole(field(fact), facts[fact] ?? 0),
    worth: whole(`${need}.worth`, worth ?? 0),
  });
  return { phrase, advice: typeof advice === 'string' ? [advice] : advice };
}

// Where the page shows what a need is about.

const places: { readonly [K in NeedKind]: string } = {
  collection_failed: '/moves',
  collection_stalled: '/moves',
  bad_news: '/moves',
  wrong_fact: '/facts',
  metric_fell: '',
  path_closed: '/crawlers',
  crawlers_refused: '/crawlers',
  engine_never_names: '/answers',
  never_named_prompts: '/prompts',
  within_reach: '/prompts',
  source_to_win: '/sources',
  bad_tone: '/answers',
  pages_lost: '/sources',
  pages_refused: '/crawlers',
  logs_silent: '/crawlers',
  facts_stale: '/facts',
};

/** The page that lists what a need is about: its address below that of the brand, and parameters besides the days. */
export function placeOfNeed({ kind, facts, lead }: Need): {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
} {
  const { engine, tone, metric } = lead.params;
  const ofEngine = kind === 'engine_never_names' ? (facts.engine ?? engine) : null;
  const query = Object.entries({ engine: ofEngine, tone, metric }).filter(([, value]) => value !== null);
  const path = kind === 'bad_news' && lead.read === 'crawlers' ? '/crawlers' : places[kind as NeedKind];
  return { path, query: Object.fromEntries(query) as Record<string, string> };
}
