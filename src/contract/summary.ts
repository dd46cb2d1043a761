/**
 * The sentence about a brand: one definition for the page, the command and the report. Every number in it is a field of bodies
 * of reads of the same days and filters, or a count of rows.
 */
import { DAY_MS } from './days.js';
import { leastDays, measuredDaysOf } from './enough-days.js';
import { amountText, differenceSeen, type MeasureName, measureOf } from './measures.js';
import { inShort } from './notes.js';
import { measured, type Phrase, whole } from './phrase.js';
import type { Competitor } from './reads/competitors.js';
import type { Overview } from './reads/overview.js';
import { inWords, plural } from './wording.js';

/** What the sentence is about. */
export const LEAD_METRIC = 'presence_rate';

/** The metrics that faces say of that they moved, in this order. */
export const TOLD_METRICS = [
  LEAD_METRIC,
  'share_of_voice_fraction',
  'visibility',
  'sentiment_index',
  'citation_share',
] as const satisfies readonly MeasureName[];

/** The metrics that moved by more than chance. Faces explain and draw the first one. */
export const movedMetrics = ({ change }: Pick<Overview, 'change'>): MeasureName[] =>
  TOLD_METRICS.filter((metric) => hasMoved(change[metric]));

/** How people call a metric within a sentence. */
export const metricWords = (metric: MeasureName): string =>
  metric === LEAD_METRIC
    ? 'named in'
    : metric === 'visibility'
      ? 'visibility score'
      : measureOf(metric).label;

interface SentenceReads {
  readonly overview: Overview;
  /** Undefined or empty: not read. */
  readonly competitors?: readonly Pick<Competitor, 'is_brand' | 'share_of_voice_fraction'>[];
  /** What the days have where the overview has no answer; if omitted, nothing. */
  readonly instead?: Instead | undefined;
  /** The current day (UTC). */
  readonly today: string;
}

/**
 * `Torvello is named in 38 % of answers, third of seven brands; no clear change from 37 %.`
 * The rank is by share of voice: it orders brands by the number of answers that name them, which the sentence is about.
 */
export function sentenceOf({ overview, competitors = [], instead, today }: SentenceReads): Phrase {
  const { brand, run_count, presence_rate, window } = overview;
  const name = { name: brand.name };
  if (run_count === 0 || presence_rate === null) {
    const days: Phrase =
      window === undefined ? [] : [' from ', { day: window.start }, ' to ', { day: window.end }];
    const [begin, end] = instead === undefined ? ['No answer was collected', ''] : INSTEAD[instead];
    return [begin, ...days, end, ': whether ', name, ' is named is not known.'];
  }
  const answers = whole('overview.run_count', run_count);
  if (presence_rate === 0) {
    const none: Phrase = [name, ' is named in none of ', answers, plural(run_count, ' answer')];
    return [...none, ...namedInstead(competitors), ...changeOf(overview, today)];
  }
  const change = overview.change?.[LEAD_METRIC];
  const digits = change !== undefined && hasMoved(change) ? 1 : digitsOf(presence_rate);
  const share = measured(`overview.${LEAD_METRIC}`, LEAD_METRIC, presence_rate, digits);
  const of: Phrase = overview.low_confidence
    ? [' of only ', answers, plural(run_count, ' answer')]
    : [' of answers'];
  return [name, ' is named in ', share, ...of, ...rankOf(competitors), ...changeOf(overview, today)];
}

/** `Named in 39 % of answers, third of seven brands.`: the same without the change, where that stands in a place of its own. */
export function standingOf(reads: SentenceReads): Phrase {
  const { overview, competitors = [] } = reads;
  const { run_count, presence_rate } = overview;
  if (run_count === 0 || presence_rate === null) return sentenceOf(reads);
  const answers = whole('overview.run_count', run_count);
  if (presence_rate === 0)
    return ['Named in none of ', answers, plural(run_count, ' answer'), ...namedInstead(competitors), '.'];
  const share = measured(`overview.${LEAD_METRIC}`, LEAD_METRIC, presence_rate, digitsOf(presence_rate));
  const of: Phrase = overview.low_confidence
    ? [' of only ', answers, plural(run_count, ' answer')]
    : [' of answers'];
  return ['Named in ', share, ...of, ...rankOf(competitors), '.'];
}

/** `statistics`: of each day, without its answers; `others`: answers that the slice does not choose. */
export type Instead = 'statistics' | 'others';

/** Before and after the days. */
const INSTEAD: { readonly [K in Instead]: readonly [begin: string, end: string] } = {
  statistics: ['No answer is stored', ', only daily statistics'],
  others: ['Answers were collected', ', but none of this choice'],
};

/** Whole percent; one more digit for a share that would read as nothing or everything. */
const digitsOf = (fraction: number): number =>
  fraction !== 0 && fraction !== 1 && [0, 100].includes(Math.round(100 * fraction)) ? 1 : 0;

const hasMoved = ({ verdict, previous, difference }: Change): boolean =>
  (verdict === 'up' || verdict === 'down') && previous !== null && typeof difference === 'number';

type Change = Overview['change'][typeof LEAD_METRIC];

const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(
  ' ',
);
const ordinal = (place: number): string =>
  ordinals[place - 1] ??
  `${place}${{ 1: 'st', 2: 'nd', 3: 'rd' }[/1\d$/.test(String(place)) ? 0 : place % 10] ?? 'th'}`;

type Rows = NonNullable<SentenceReads['competitors']>;
const shareOf = ({ share_of_voice_fraction }: Rows[number]): number => share_of_voice_fraction ?? 0;
/** The rows with a measured share of voice. A competitor that was added later has none. */
const measuredIn = (rows: Rows): Rows => rows.filter((row) => row.share_of_voice_fraction !== null);

function rankOf(rows: Rows): Phrase {
  const place = placeOf(rows);
  if (place !== null) return [`, ${place}`];
  return rows.length === 1 && rows[0]!.share_of_voice_fraction !== null
    ? [', with no competitor to compare with']
    : [];
}

/**
 * The place by share of voice; brands are level where their shares are, as rounded. Null: not known, or no other brand is
 * measured.
 */
export function rankIn(all: Rows): { readonly rank: number; readonly of: number } | null {
  const rows = measuredIn(all);
  const own = rows.find(({ is_brand }) => is_brand);
  if (own === undefined || rows.length === 1) return null;
  return { rank: 1 + rows.filter((row) => shareOf(row) > shareOf(own)).length, of: rows.length };
}

/** `joint third of seven brands` */
export function placeOf(rows: Rows): string | null {
  const place = rankIn(rows);
  if (place === null) return null;
  const own = shareOf(rows.find(({ is_brand }) => is_brand)!);
  const isLevel = rows.some((row) => !row.is_brand && shareOf(row) === own);
  return `${isLevel ? 'joint ' : ''}${ordinal(place.rank)} of ${inWords(place.of)} brands`;
}

/** Whom answers name that never name the brand. */
function namedInstead(rows: Rows): Phrase {
  const rivals = measuredIn(rows).filter(({ is_brand }) => !is_brand);
  const named = rivals.filter((row) => shareOf(row) > 0).length;
  if (rivals.length === 0) return [];
  if (named === rivals.length)
    return [rivals.length === 1 ? ', its competitor is' : ', all its competitors are'];
  if (named === 0) return [`, nor is ${rivals.length === 1 ? 'its competitor' : 'any competitor'}`];
  return [
    `, ${inWords(named)} of its ${inWords(rivals.length)} ${plural(rivals.length, 'competitor')} ${plural(named, 'is', 'are')}`,
  ];
}

/** `; no clear change from 37 %.` */
function changeOf(overview: Overview, today: string): Phrase {
  const change = overview.change?.[LEAD_METRIC];
  if (change === undefined) return ['.'];
  const { verdict, previous, difference, reason_fact: reason } = change;
  const field = `overview.change.${LEAD_METRIC}`;
  if (verdict === 'unknown' || previous === null) {
    const days = firstVerdictIn(overview, today);
    if (days !== null) return [`; first verdict in ${days} ${plural(days, 'day')}.`];
    if (!overview.has_prior_window)
      return ['; the ', whole('overview.window_days', overview.window_days), ' days before have no answers.'];
    const why = reason && inShort(reason);
    return [why === null ? '; change unknown.' : `; change unknown: ${why}.`];
  }
  const before = measured(
    `${field}.previous`,
    LEAD_METRIC,
    previous,
    hasMoved(change) ? 1 : digitsOf(previous),
  );
  // After “in none of so many answers”.
  if (!hasMoved(change) && overview.presence_rate === 0 && previous === 0) return ['; nor was it before.'];
  if (!hasMoved(change))
    return [
      verdict === 'no_clear_change' ? '; no clear change from ' : `; moved ${verdict} from `,
      before,
      '.',
    ];
  const by = {
    field: `${field}.difference`,
    value: difference!,
    text: amountText(LEAD_METRIC, differenceSeen(LEAD_METRIC, overview.presence_rate!, previous)),
  };
  return [`; ${verdict} `, by, ' from ', before, '.'];
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;

/**
 * The days until the first verdict on the window that ends today, if answers are collected every day; null: there is a
 * verdict, or not only days are missing.
 */
export function firstVerdictIn({ change, window, measured }: Overview, today: string): number | null {
  const { verdict, reason_fact: reason } = change?.[LEAD_METRIC] ?? {};
  const found = verdict === 'unknown' && reason ? measuredDaysOf(reason) : null;
  if (!found || !measured || window?.end !== today) return null;
  const [start, end] = [dayNumber(window.start), dayNumber(window.end)];
  const days = end - start + 1;
  const least = leastDays(days);
  if (found.before >= least) return null;
  const [first, last] = [dayNumber(measured.first_day), dayNumber(measured.last_day)];
  const hasGap = found.before > 0 && first > start;
  const hasStopped = end - last > 1;
  if (hasGap || hasStopped) return null;
  // The window before then has the least number of days, the first of which is the first collected one.
  const firstDay = found.before > 0 ? start - found.before : first;
  return firstDay + days + least - 1 - end;
}
