/**
 * The notes of reads: facts, each a code and its values, and one table with the sentence of each code: in the words of the API
 * and, where people need others, in those of tables and of the page. `{name}` is a place for a value.
 */
import { CAPS, WINDOW_DAYS } from './limits.js';
import { MAX_MOVED_POINTS } from './measures.js';
import type { Fact } from './read.js';
import { counted } from './wording.js';

interface Sentence {
  /** For programs: it may name fields, null and other requests. */
  readonly api: string;
  /** For tables, whose readers know the command; if omitted, the words of the API. */
  readonly table?: string;
  /** For the page, whose readers send no requests; if omitted, the words of the API; null: the page leaves it out. */
  readonly page?: string | null;
  /** Of a reason, within a sentence: what it says first. */
  readonly short?: string;
}

/** A sentence that leads to the daily statistics of a window. */
const toStatistics = <const S extends string>(lead: S) => ({
  api: `${lead}: metrics/history with the same from and to has their values.` as const,
  table: `${lead}: \`svc history\` with the same --from and --to has their values.`,
  page: `${lead}: the chart by day has their values.`,
});

const FOUND = 'Measured on {measured} of this window and {measured_before} of the one before';
const FEW_DAYS = 'measured on {measured} of this window and {measured_before} of the one before';

export const sentences = {
  // Windows and slices without answers, or with answers in a part of their days.
  never_collected: { api: 'No answer was ever collected for this brand.' },
  archived: {
    api: 'The brand is archived: its collection was stopped. Earlier days have answers.',
  },
  not_in_window: { api: 'No answer was collected in this window: nothing was measured in it.' },
  zeros_in_last_days: {
    api: `No answer was collected in the last ${WINDOW_DAYS} days: the zeros here stand for “not measured”.`,
    table: `No answer was collected in the last ${WINDOW_DAYS} days: — stands for “not measured”.`,
  },
  only_other_engines: {
    api: 'No answer of an engine with web search was collected from {start} to {end}, so nothing was measured: engine={ids} has answers.',
    table:
      'No answer of an engine with web search was collected from {start} to {end}, so nothing was measured: `--engine {ids}` has answers.',
    page: 'No answer of an engine with web search was collected from {start} to {end}, so nothing was measured. Filter by engine to see answers of others.',
  },
  empty_slice: {
    api: 'The slice selected no answer from {start} to {end}: nothing was measured.',
    page: 'No answer of this choice was collected from {start} to {end}: nothing was measured.',
  },
  empty_slice_with_statistics: {
    api: 'The slice selected no answer from {start} to {end}.',
    page: 'No answer of this choice was collected from {start} to {end}.',
  },
  searched_newest: {
    api: 'Only the newest {total} answers of the window, back to {since}, were searched: pages (limit, cursor) reach the others.',
    table:
      'Only the newest {total} answers of the window, back to {since}, were searched: --all searches the others.',
  },
  tracked_names_only: {
    api: 'In {total} answers only tracked names were looked for, so they say nothing about others.',
  },
  names_of_newest: {
    api: 'The names are those of the newest {total} answers of the window, back to {since}.',
  },
  page_never_cited: { api: 'No stored answer ever cited this page.' },
  citing_of_newest: {
    api: 'Prompts, engines and names are those of the newest {total} answers of the window, back to {since}.',
  },
  only_statistics: toStatistics('No answer is stored from {start} to {end}, only daily statistics'),
  measured_since: { api: 'Measured from {since} on: no earlier answer is stored.' },
  slice_measured_since: { api: 'Measured from {since} on: no earlier answer of the slice is stored.' },
  statistics_before: toStatistics('The days before have daily statistics'),

  // Names that were added after their answers were searched
  names_measured_since: {
    api: 'Measured from {since} on, because earlier answers were not searched for it: {names}. Shares of voice of earlier days are among the others.',
  },
  not_searched_before: {
    api: 'Answers before {since} were not searched for {names}, so that the windows do not measure the same names.',
    short:
      'answers before {since} were not searched for {names}, so that the windows do not measure the same names',
  },
  spelled_since: {
    api: 'Answers before {since} were not searched for every spelling of {names}, so that no verdict compares them with later ones.',
    short:
      'answers before {since} were not searched for every spelling of {names}, so that no verdict compares them with later ones',
  },
  answers_searched: {
    api: 'Stored answers are being searched for these names, the newest first.',
  },

  // History
  nothing_ever: {
    api: 'Nothing was ever collected in this scope.',
    page: 'Nothing was ever collected from these engines.',
  },
  nothing_since: {
    api: 'Nothing was collected in this scope since {newest}, which is before the live run horizon ({live}). Ask for older days with from and to.',
    table:
      'Nothing was collected in this scope since {newest}, which is before {live}, the first day that is computed from answers. Ask for older days with from and to.',
    page: 'Nothing was collected from these engines since {newest}, which is before the live run horizon ({live}). Ask for older days with from and to.',
  },
  nothing_in_scope: {
    api: 'Nothing was collected in this scope from {start} to {end}.',
    page: 'Nothing was collected from these engines from {start} to {end}.',
  },
  nothing_in_slice: {
    api: 'Nothing was collected in this slice from {start} to {end}.',
    page: 'Nothing was collected from these engines from {start} to {end}.',
  },
  window_cut: {
    api: 'The window was cut to begin with the live run horizon ({live}): {days} of {asked} days.',
    table:
      'The window was cut to begin with {live}, the first day that is computed from answers: {days} of {asked} days.',
  },
  only_day_values: {
    api: 'Served from nightly statistics per day: no window value and no trend can be derived from them.',
  },
  single_day: { api: 'A single day has no trend.', page: null },
  prior_too_old: {
    api: 'No trend: the window before would begin on {start}, before the live run horizon ({live}).',
    table:
      'No trend: the window before would begin on {start}, before {live}, the first day that is computed from answers.',
    page: null,
  },
  no_trend: { api: 'No trend: the metric was not measured in the window before.', page: null },
  no_trend_for: {
    api: 'No trend for {names}: the metric was not measured in the window before.',
    page: null,
  },

  // Why a metric moved
  no_parts: { api: 'Not measured in either window, so there is no change to explain.' },
  no_parts_before: { api: 'Not measured in the window before, so there is no change to explain.' },
  no_parts_now: { api: 'Not measured in this window, so there is no change to explain.' },
  tags_overlap: {
    api: 'A prompt counts with each of its tags, so these parts overlap and do not sum to the change.',
  },
  mostly_asked: {
    api: 'Most of the change is because of which {cells} were asked and how often, and not because their answers changed.',
  },
  spread_change: {
    api: 'The change is spread over {total} {cells}: none of them changed in its direction by more than chance explains.',
  },
  only_noise: {
    api: 'The change may be chance, and none of the {cells} changed by more than chance explains.',
  },
  some_moved: {
    api: 'The change as a whole may be chance, and verdicts on single {cells} may be too.',
  },
  chance_among_many: {
    api: 'These changes are more than chance alone, but may be chance among {total} {cells} that are compared: {names}.',
  },
  judged_alone: {
    api: 'Verdicts are of this prompt alone; among all prompts, as why compares them, the same change may be chance.',
    page: 'Compared alone; in the list of all prompts, the same change may be chance.',
  },

  // Whether it helped
  only_compared: {
    api: 'A comparison with prompts that were not chosen at random: it shows what moved beyond them, and proves no cause.',
  },
  drawn_beyond: {
    api: 'Before, these prompts were on average weaker or stronger than every other, so that the line of the others is drawn beyond what was measured: a model that changed in these days makes that unreliable.',
  },

  // Moves
  no_moves: {
    api: 'No move was told: no verdict held on two nights in a row, or too little was collected for one.',
  },

  // Sentiment
  zeros_in_scope: {
    api: 'No answer was ever collected in this scope: the zeros stand for “not measured”.',
    table: 'No answer was ever collected in this scope: — stands for “not measured”.',
    page: 'No answer was ever collected from these engines: the zeros stand for “not measured”.',
  },
  no_answer: { api: 'No answer was collected from {start} to {end}.' },
  quotes_pruned: {
    api: 'Quotes are those of stored answers: answers from before {since} were deleted, their counts are kept.',
  },
  how_to_read_tones: {
    api: 'sentiment_index is 50 + 50 × (positive − negative) / (positive + neutral + negative): 50 is neutral, null means that no mention was scored and never neutral. An answer counts once per entity, with the tone of its first scored mention; unscored mentions have no tone, stay outside the index and are not neutral. Quotes are verbatim and worst first; they also cover competitors and names that are not tracked (tracked: false), which no entity’s counts include.',
    table:
      'sentiment is 50 + 50 × (positive − negative) / (positive + neutral + negative): 50 is neutral, — means that no mention was scored and never neutral. An answer counts once per entity, with the tone of its first scored mention; unscored mentions have no tone, stay outside the index and are not neutral. Quotes are verbatim and worst first; they also cover competitors and names that are not tracked, which no entity’s counts include.',
    page: null,
  },

  // Crawlers
  no_logs: {
    api: 'No crawler logs were ever received for this brand, so hits are null: not measured, not zero. Ship logs to POST /api/v1/crawler-events.',
    table:
      'No crawler logs were ever received for this brand, so requests are not known: not measured, not zero. Ship logs with `svc ingest`.',
    page: 'No crawler logs were ever received for this brand, so requests are not measured. Whoever operates the site can send its logs to this server.',
  },
  no_recent_logs: {
    api: `Nothing from any AI agent was logged in the last ${WINDOW_DAYS} days, so zero hits may be missing data; the newest request on record is of {time}.`,
    table: `Nothing from any AI crawler was logged in the last ${WINDOW_DAYS} days, so zero requests may be missing data; the newest request on record is of {time}.`,
    page: `Nothing from any AI agent was logged in the last ${WINDOW_DAYS} days, so zero requests may be missing logs; the newest request on record is of {time}.`,
  },
  no_robots: {
    api: 'robots.txt could not be fetched ({reason}), so verdicts are null.',
    table: 'robots.txt could not be fetched ({reason}), so verdicts are not known.',
    page: 'robots.txt could not be fetched ({reason}), so what it allows is not known.',
  },
  not_verified: {
    api: 'Agents are counted by the user agent that a request claimed, whoever sent it.',
    table: 'Crawlers are counted by the user agent that a request claimed, whoever sent it.',
  },
  ranges_too_old: {
    api: 'The address lists of {names} were last fetched more than 90 days ago, so their requests are not verified. The operator refreshes them with `svc admin ranges update`.',
    page: 'The address lists of {names} were last fetched more than 90 days ago, so their requests are not verified.',
  },
  none_verified: {
    api: 'No request of any agent came from an address of its operator: most likely the log has the addresses of a proxy.',
    table:
      'No request of any crawler came from an address of its operator: most likely the log has the addresses of a proxy.',
  },
  may_ignore_robots: {
    api: 'Blocked agents that fetch on a person’s demand may ignore robots.txt: {names}.',
    table: 'Blocked crawlers that fetch on a person’s demand may ignore robots.txt: {names}.',
  },

  // Visits that answers send
  no_referrers: {
    api: 'No log of this brand ever stated where people came from: whether answers send people is not measured. Ship whole logs, with referrers, to POST /api/v1/crawler-events.',
    table:
      'No log of this brand ever stated where people came from: whether answers send people is not measured. Ship whole logs, with referrers, with `svc ingest`.',
    page: 'No log of this brand ever stated where people came from: whether answers send people is not measured. Whoever operates the site can send its logs to this server.',
  },
  no_referrers_in_window: {
    api: 'No log of {start} to {end} states where people came from: whether answers sent people is not measured.',
  },
  days_without_referrers: {
    api: 'Logs of {measured} of the window state where people came from: the others are not measured.',
  },
  views_without_visitor: {
    api: 'Page views that count as no visit: {total}. Their log lines came more than {length} late, or do not have the address of the client.',
  },
  google_not_told: {
    api: 'People from AI Overviews and AI Mode come with the referrer of Google Search: they cannot be told from its other visitors and are not among these.',
  },

  // Gaps
  none_before: {
    api: 'No answer was collected in the window of equal length before, so no page can be known as lost.',
  },
  too_short_to_lose: {
    api: 'A page counts as lost after citations on {days} days, and the window before has fewer.',
  },
  pages_not_logged: {
    api: 'No crawler logs were ever received for this brand: whether the site refuses pages to crawlers, and which are never fetched or never cited, is not measured. Ship logs to POST /api/v1/crawler-events.',
    table:
      'No crawler logs were ever received for this brand: whether the site refuses pages to crawlers, and which are never fetched or never cited, is not measured. Ship logs with `svc ingest`.',
    page: 'No crawler logs were ever received for this brand: whether the site refuses pages to crawlers, and which are never fetched or never cited, is not measured. Whoever operates the site can send its logs to this server.',
  },
  logs_not_covering: {
    api: 'The logs do not cover {start} to {end}: whether a page was never fetched or never cited is not known.',
  },

  // Shopping and ads
  no_carousel: {
    api: 'No carousel was captured in this window: that is absence of data, not of shopping presence.',
  },
  carousels_not_observed: {
    api: 'No engine whose payloads carry product data collected runs in this window: whether there were carousels is unknown.',
  },
  carousels_of_one_day: {
    api: 'Carousels were captured on a single day: this is a snapshot, not a trend.',
  },
  no_ad_ever: { api: 'No ad was ever captured for this brand; that does not say that none ran.' },
  no_ad: { api: 'No ad was captured in this window; that does not say that none ran.' },
  ads_not_observable: {
    api: 'The payloads of {engines} do not state ads: there they are unknown, never absent.',
  },
  ads_not_captured: {
    api: 'Structured capture began on {since}: the days before were not captured, which does not mean ad-free.',
  },
  newest_ads: { api: `These are the newest ${CAPS.ads} of {total} units.` },

  // Fact checks
  never_checked: {
    api: 'No fact check ever ran for this brand: read it as never checked, not as no discrepancies.',
  },
  unknown_age: {
    api: 'The stored time of this check cannot be read: its age is unknown and it counts as stale.',
  },
  fresh_result: {
    api: 'Nothing ran and nothing was spent: the cached result is fresh. force true runs a check all the same.',
  },
  shortened_answers: {
    api: 'Too long to be compared as a whole, so only the beginning was: {answers}.',
  },

  // Sites, visitors, and what others write
  never_crawled: {
    api: 'The site was never crawled, so counts are null: not measured, not zero.',
    table: 'The site was never crawled, so counts are not known: not measured, not zero.',
    page: 'The site was never crawled, so counts are not known.',
  },
  not_timed: {
    api: 'No page was timed, so ttfb_ms is null: not measured, not zero.',
    table: 'No page was timed, so the time to first byte is not known: not measured, not zero.',
    page: 'No page was timed, so the time to first byte is not known.',
  },
  never_visited: {
    api: 'The tracking snippet never reported a visit for this brand, so totals are null: not measured, not zero.',
    table:
      'The tracking snippet never reported a visit for this brand, so totals are not known: not measured, not zero.',
    page: 'The tracking snippet never reported a visit for this brand, so totals are not known.',
  },
  no_visit: {
    api: 'No visit was reported in the last {length}, so zeros may be missing data.',
  },
  leads: { api: 'These are leads found by name, not verified mentions.' },
  nothing_found: {
    api: 'Nothing was ever found for this brand; that does not say that nobody wrote about it.',
  },

  no_answer_text: {
    api: 'The text of this answer was not collected: its mentions, citations and searches are all that is known.',
  },

  // Why a verdict is unknown
  no_domain: {
    api: 'No domain is known, so no citation can be counted as its own.',
    short: 'no domain is known, so no citation can be counted as its own',
  },
  too_few_days: {
    api: `${FOUND}; a verdict needs {least} of each.`,
    short: FEW_DAYS,
  },
  too_few_days_in_a_row: {
    api: `${FOUND}; a verdict needs {more} more of this window and {more_before} more of the one before.`,
    short: FEW_DAYS,
  },
  too_few_days_now: { api: `${FOUND}; a verdict needs {more} more of this window.`, short: FEW_DAYS },
  too_few_days_before: {
    api: `${FOUND}; a verdict needs {more_before} more of the one before.`,
    short: FEW_DAYS,
  },
  other_prompts: {
    api: 'The prompts changed: those asked in both windows make up {share} % of the runs of this window and {share_before} % of the one before; a verdict needs half of each.',
    short: 'the prompts changed',
  },
  surface_rose: {
    api: `The surfaces changed: {surface} makes up at least {share} % of the runs of this window and at most {share_before} % of the one before; a verdict needs shares that differ by at most ${MAX_MOVED_POINTS} points.`,
    short: 'the surfaces changed',
  },
  surface_fell: {
    api: `The surfaces changed: {surface} makes up at most {share} % of the runs of this window and at least {share_before} % of the one before; a verdict needs shares that differ by at most ${MAX_MOVED_POINTS} points.`,
    short: 'the surfaces changed',
  },

  // Why an effect is unknown
  too_few_controls: {
    api: 'Too few prompts to compare with: {total} others were asked in both windows, and a verdict needs {least}.',
  },
  no_treated_prompts: {
    api: 'No active prompt of those that it is about was asked in both windows on the same engines.',
  },
  surfaces_moved: {
    api: `The surfaces changed: the share of {surface} in the answers differs by more than ${MAX_MOVED_POINTS} points between the windows, so that they are not comparable.`,
  },
  moved_before: {
    api: 'These prompts already moved away from the others in the same direction before it.',
  },
  nothing_done: { api: 'Nothing was done yet.' },

  // What is composed of several reads
  refused: { api: '{reason}' },

  // Lists that are cut
  totals_not_measured: {
    api: 'No answer was ever collected for this brand: totals of 0 are not measurements.',
  },
  most_cited_pages: { api: 'These are the {shown} most cited of {total} pages.' },
  most_cited_threads: { api: 'These are the {shown} most cited of {total} threads.' },
  most_frequent_searches: { api: 'These are the {shown} most frequent of {total} searches.' },
} as const satisfies { readonly [code: string]: Sentence };

type Sentences = typeof sentences;
export type NoteCode = keyof Sentences;

/** The values at places that are no text, as facts have them. */
interface PlaceValues {
  readonly days: number;
  readonly asked: number;
  readonly shown: number;
  readonly total: number;
  /** Days. */
  readonly length: number;
  /** Days. */
  readonly measured: number;
  readonly measured_before: number;
  readonly least: number;
  readonly more: number;
  readonly more_before: number;
  readonly share: number;
  readonly share_before: number;
  readonly names: readonly string[];
  readonly engines: readonly string[];
  readonly answers: readonly string[];
  readonly ids: readonly string[];
}
type PlacesIn<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlacesIn<Rest>
  : never;
type ValuesOf<C extends NoteCode> = {
  readonly [Place in PlacesIn<Sentences[C]['api']>]: Place extends keyof PlaceValues
    ? PlaceValues[Place]
    : string;
};

/** A fact that a note states. */
export const fact = <C extends NoteCode>(
  code: C,
  ...[values]: keyof ValuesOf<C> extends never ? [] : [ValuesOf<C>]
): Fact & { code: C } => ({ code, ...(values as { [place: string]: Fact[string] }) });

const DATES: readonly string[] = ['start', 'end', 'since', 'newest', 'live', 'time'];

const PLACE = /\{(\w+)\}/g;

const filled = (form: string, values: Fact, dateOf: (date: string) => string): string =>
  form.replace(PLACE, (_, place: string) => {
    const value = values[place]!;
    if (Array.isArray(value)) return value.join(place === 'ids' ? ',' : ', ');
    if (place === 'length' || place === 'measured') return counted(value as number, 'day');
    return DATES.includes(place) ? dateOf(value as string) : String(value);
  });

/** A fact in the words of the API. */
export const wordsOf = (each: Fact): string => wordsFor('api', [each], (date) => date)!;

/** What a reason says first, within a sentence; null: a newer server has it, or it says nothing in short. */
export function inShort(reason: Fact): string | null {
  const { short }: Sentence = (Object.hasOwn(sentences, reason.code) &&
    sentences[reason.code as NoteCode]) || { api: '' };
  return short === undefined ? null : filled(short, reason, (date) => date);
}

export interface Noted {
  /** In the words of the API. */
  readonly note: string | null;
  readonly notes: readonly Fact[];
}

type Holding = Fact | readonly Fact[] | false | null | undefined;

/** The facts that hold, and their sentences. */
export function noted(holding: readonly Holding[]): { note: string | null; notes: Fact[] } {
  const notes = holding.flatMap((each) => each || []);
  return { note: wordsFor('api', notes, (date) => date), notes };
}

function wordsFor(reader: keyof Sentence, facts: readonly Fact[], dateOf: (date: string) => string) {
  const words = facts.flatMap((each) => {
    const sentence: Sentence = sentences[each.code as NoteCode];
    const form = sentence[reader] === undefined ? sentence.api : sentence[reader];
    return form === null ? [] : [filled(form, each, dateOf)];
  });
  return words.join(' ') || null;
}

/**
 * The note of a body in the words of tables or of the page; in those of the API, if a newer server states a fact that this
 * version does not know.
 * @param dateOf Writes a date.
 * @returns Null if there is nothing to say.
 */
export function noteFor(
  reader: 'table' | 'page',
  { note, notes }: Noted,
  dateOf: (date: string) => string = (date) => date,
): string | null {
  return notes.every(({ code }) => Object.hasOwn(sentences, code)) ? wordsFor(reader, notes, dateOf) : note;
}
