/**
 * The notes of reads. Each sentence stands here once: in the words of the API and, where people need others, in those of
 * tables and of the page. `{name}` is a place for a value.
 */
import { CAPS, WINDOW_DAYS } from './limits.js';

interface Sentence {
  /** For programs: it may name fields, null and other requests. */
  readonly api: string;
  /** For tables, whose readers know the command; if omitted, the words of the API. */
  readonly table?: string;
  /** For the page, whose readers send no requests; if omitted, the words of the API; null: the page leaves it out. */
  readonly page?: string | null;
}

/** What the values at places are; dates are written out on the page. */
const places = {
  start: 'date',
  end: 'date',
  since: 'date',
  newest: 'date',
  live: 'date',
  time: 'date',
  days: 'count',
  asked: 'count',
  shown: 'count',
  total: 'count',
  names: 'text',
  engines: 'text',
  answers: 'text',
  reason: 'text',
  cells: 'text',
  length: 'text',
} as const;

/** A sentence that leads to the daily statistics of a window. */
const toStatistics = <const S extends string>(lead: S) => ({
  api: `${lead}: metrics/history with the same from and to has their values.` as const,
  table: `${lead}: \`svc history\` with the same --from and --to has their values.`,
  page: `${lead}: the chart by day has their values.`,
});

export const sentences = {
  // Windows and slices without answers, or with answers in a part of their days.
  neverCollected: { api: 'No answer was ever collected for this brand.' },
  archived: {
    api: 'The brand is archived: its collection was stopped. Earlier days have answers.',
  },
  notInWindow: { api: 'No answer was collected in this window: nothing was measured in it.' },
  zerosInLastDays: {
    api: `No answer was collected in the last ${WINDOW_DAYS} days: the zeros here stand for “not measured”.`,
    table: `No answer was collected in the last ${WINDOW_DAYS} days: — stands for “not measured”.`,
  },
  onlyOtherEngines: {
    api: 'No answer of an engine with web search was collected from {start} to {end}, so nothing was measured: engine={engines} has answers.',
    table:
      'No answer of an engine with web search was collected from {start} to {end}, so nothing was measured: `--engine {engines}` has answers.',
    page: 'No answer of an engine with web search was collected from {start} to {end}, so nothing was measured. Filter by engine to see answers of others.',
  },
  emptySlice: {
    api: 'The slice selected no answer from {start} to {end}: nothing was measured.',
    page: 'No answer of this choice was collected from {start} to {end}: nothing was measured.',
  },
  emptySliceWithStatistics: {
    api: 'The slice selected no answer from {start} to {end}.',
    page: 'No answer of this choice was collected from {start} to {end}.',
  },
  searchedNewest: {
    api: 'Only the newest {total} answers of the window, back to {since}, were searched: pages (limit, cursor) reach the others.',
    table:
      'Only the newest {total} answers of the window, back to {since}, were searched: --all searches the others.',
  },
  trackedNamesOnly: {
    api: 'In {total} answers only tracked names were looked for, so they say nothing about others.',
  },
  namesOfNewest: {
    api: 'The names are those of the newest {total} answers of the window, back to {since}.',
  },
  pageNeverCited: { api: 'No stored answer ever cited this page.' },
  citingOfNewest: {
    api: 'Prompts, engines and names are those of the newest {total} answers of the window, back to {since}.',
  },
  onlyStatistics: toStatistics('No answer is stored from {start} to {end}, only daily statistics'),
  measuredSince: { api: 'Measured from {since} on: no earlier answer is stored.' },
  sliceMeasuredSince: { api: 'Measured from {since} on: no earlier answer of the slice is stored.' },
  statisticsBefore: toStatistics('The days before have daily statistics'),

  // Names that were added after their answers were searched
  namesMeasuredSince: {
    api: 'Measured from {since} on, because earlier answers were not searched for it: {names}. Shares of voice of earlier days are among the others.',
  },
  notSearchedBefore: {
    api: 'Answers before {since} were not searched for {names}, so that the windows do not measure the same names.',
  },
  spelledSince: {
    api: 'Answers before {since} were not searched for every spelling of {names}, so that no verdict compares them with later ones.',
  },
  answersSearched: {
    api: 'Stored answers are being searched for these names, the newest first.',
  },

  // History
  nothingEver: {
    api: 'Nothing was ever collected in this scope.',
    page: 'Nothing was ever collected from these engines.',
  },
  nothingSince: {
    api: 'Nothing was collected in this scope since {newest}, which is before the live run horizon ({live}). Ask for older days with from and to.',
    table:
      'Nothing was collected in this scope since {newest}, which is before {live}, the first day that is computed from answers. Ask for older days with from and to.',
    page: 'Nothing was collected from these engines since {newest}, which is before the live run horizon ({live}). Ask for older days with from and to.',
  },
  nothingInScope: {
    api: 'Nothing was collected in this scope from {start} to {end}.',
    page: 'Nothing was collected from these engines from {start} to {end}.',
  },
  nothingInSlice: {
    api: 'Nothing was collected in this slice from {start} to {end}.',
    page: 'Nothing was collected from these engines from {start} to {end}.',
  },
  windowCut: {
    api: 'The window was cut to begin with the live run horizon ({live}): {days} of {asked} days.',
    table:
      'The window was cut to begin with {live}, the first day that is computed from answers: {days} of {asked} days.',
  },
  onlyDayValues: {
    api: 'Served from nightly statistics per day: no window value and no trend can be derived from them.',
  },
  singleDay: { api: 'A single day has no trend.', page: null },
  priorTooOld: {
    api: 'No trend: the window before would begin on {start}, before the live run horizon ({live}).',
    table:
      'No trend: the window before would begin on {start}, before {live}, the first day that is computed from answers.',
    page: null,
  },
  noTrend: { api: 'No trend: the metric was not measured in the window before.', page: null },
  noTrendFor: { api: 'No trend for {names}: the metric was not measured in the window before.', page: null },

  // Why a metric moved
  noParts: { api: 'Not measured in either window, so there is no change to explain.' },
  noPartsBefore: { api: 'Not measured in the window before, so there is no change to explain.' },
  noPartsNow: { api: 'Not measured in this window, so there is no change to explain.' },
  tagsOverlap: {
    api: 'A prompt counts with each of its tags, so these parts overlap and do not sum to the change.',
  },
  mostlyAsked: {
    api: 'Most of the change is because of which {cells} were asked and how often, and not because their answers changed.',
  },
  spreadChange: {
    api: 'The change is spread over {total} {cells}: none of them changed in its direction by more than chance explains.',
  },
  onlyNoise: {
    api: 'The change may be chance, and none of the {cells} changed by more than chance explains.',
  },
  someMoved: {
    api: 'The change as a whole may be chance, and verdicts on single {cells} may be too.',
  },

  // Whether it helped
  onlyCompared: {
    api: 'A comparison with prompts that were not chosen at random: it shows what moved beyond them, and proves no cause.',
  },
  drawnBeyond: {
    api: 'Before, these prompts were on average weaker or stronger than every other, so that the line of the others is drawn beyond what was measured: a model that changed in these days makes that unreliable.',
  },

  // Moves
  noMoves: {
    api: 'No move was told: no verdict held on two nights in a row, or too little was collected for one.',
  },

  // Sentiment
  zerosInScope: {
    api: 'No answer was ever collected in this scope: the zeros stand for “not measured”.',
    table: 'No answer was ever collected in this scope: — stands for “not measured”.',
    page: 'No answer was ever collected from these engines: the zeros stand for “not measured”.',
  },
  noAnswer: { api: 'No answer was collected from {start} to {end}.' },
  quotesPruned: {
    api: 'Quotes are those of stored answers: answers from before {since} were deleted, their counts are kept.',
  },
  howToReadTones: {
    api: 'sentiment_index is 50 + 50 × (positive − negative) / (positive + neutral + negative): 50 is neutral, null means that no mention was scored and never neutral. An answer counts once per entity, with the tone of its first scored mention; unscored mentions have no tone, stay outside the index and are not neutral. Quotes are verbatim and worst first; they also cover competitors and names that are not tracked (tracked: false), which no entity’s counts include.',
    table:
      'sentiment is 50 + 50 × (positive − negative) / (positive + neutral + negative): 50 is neutral, — means that no mention was scored and never neutral. An answer counts once per entity, with the tone of its first scored mention; unscored mentions have no tone, stay outside the index and are not neutral. Quotes are verbatim and worst first; they also cover competitors and names that are not tracked, which no entity’s counts include.',
    page: null,
  },

  // Crawlers
  noLogs: {
    api: 'No crawler logs were ever received for this brand, so hits are null: not measured, not zero. Ship logs to POST /api/v1/crawler-events.',
    table:
      'No crawler logs were ever received for this brand, so requests are not known: not measured, not zero. Ship logs with `svc ingest`.',
    page: 'No crawler logs were ever received for this brand, so requests are not measured. Whoever operates the site can send its logs to this server.',
  },
  noRecentLogs: {
    api: `Nothing from any AI agent was logged in the last ${WINDOW_DAYS} days, so zero hits may be missing data; the newest request on record is of {time}.`,
    table: `Nothing from any AI crawler was logged in the last ${WINDOW_DAYS} days, so zero requests may be missing data; the newest request on record is of {time}.`,
    page: `Nothing from any AI agent was logged in the last ${WINDOW_DAYS} days, so zero requests may be missing logs; the newest request on record is of {time}.`,
  },
  noRobots: {
    api: 'robots.txt could not be fetched ({reason}), so verdicts are null.',
    table: 'robots.txt could not be fetched ({reason}), so verdicts are not known.',
    page: 'robots.txt could not be fetched ({reason}), so what it allows is not known.',
  },
  notVerified: {
    api: 'Agents are counted by the user agent that a request claimed; addresses are not verified.',
    table: 'Crawlers are counted by the user agent that a request claimed; addresses are not verified.',
  },
  mayIgnoreRobots: {
    api: 'Blocked agents that fetch on a person’s demand may ignore robots.txt: {names}.',
    table: 'Blocked crawlers that fetch on a person’s demand may ignore robots.txt: {names}.',
  },

  // Gaps
  noneBefore: {
    api: 'No answer was collected in the window of equal length before, so no page can be known as lost.',
  },
  tooShortToLose: {
    api: 'A page counts as lost after citations on {days} days, and the window before has fewer.',
  },
  pagesNotLogged: {
    api: 'No crawler logs were ever received for this brand: whether pages are refused, never fetched or never cited is not measured. Ship logs to POST /api/v1/crawler-events.',
    table:
      'No crawler logs were ever received for this brand: whether pages are refused, never fetched or never cited is not measured. Ship logs with `svc ingest`.',
    page: 'No crawler logs were ever received for this brand: whether pages are refused, never fetched or never cited is not measured. Whoever operates the site can send its logs to this server.',
  },
  logsNotCovering: {
    api: 'The logs do not cover {start} to {end}: whether a page was never fetched or never cited is not known.',
  },

  // Shopping and ads
  noCarousel: {
    api: 'No carousel was captured in this window: that is absence of data, not of shopping presence.',
  },
  carouselsNotObserved: {
    api: 'No engine whose payloads carry product data collected runs in this window: whether there were carousels is unknown.',
  },
  carouselsOfOneDay: {
    api: 'Carousels were captured on a single day: this is a snapshot, not a trend.',
  },
  noAdEver: { api: 'No ad was ever captured for this brand; that does not say that none ran.' },
  noAd: { api: 'No ad was captured in this window; that does not say that none ran.' },
  adsNotObservable: {
    api: 'The payloads of {engines} do not state ads: there they are unknown, never absent.',
  },
  adsNotCaptured: {
    api: 'Structured capture began on {since}: the days before were not captured, which does not mean ad-free.',
  },
  newestAds: { api: `These are the newest ${CAPS.ads} of {total} units.` },

  // Fact checks
  neverChecked: {
    api: 'No fact check ever ran for this brand: read it as never checked, not as no discrepancies.',
  },
  unknownAge: {
    api: 'The stored time of this check cannot be read: its age is unknown and it counts as stale.',
  },
  freshResult: {
    api: 'Nothing ran and nothing was spent: the cached result is fresh. force true runs a check all the same.',
  },
  shortenedAnswers: {
    api: 'Too long to be compared as a whole, so only the beginning was: {answers}.',
  },

  // Sites, visitors, and what others write
  neverCrawled: {
    api: 'The site was never crawled, so counts are null: not measured, not zero.',
    table: 'The site was never crawled, so counts are not known: not measured, not zero.',
    page: 'The site was never crawled, so counts are not known.',
  },
  notTimed: {
    api: 'No page was timed, so ttfb_ms is null: not measured, not zero.',
    table: 'No page was timed, so the time to first byte is not known: not measured, not zero.',
    page: 'No page was timed, so the time to first byte is not known.',
  },
  neverVisited: {
    api: 'The tracking snippet never reported a visit for this brand, so totals are null: not measured, not zero.',
    table:
      'The tracking snippet never reported a visit for this brand, so totals are not known: not measured, not zero.',
    page: 'The tracking snippet never reported a visit for this brand, so totals are not known.',
  },
  noVisit: {
    api: 'No visit was reported in the last {length}, so zeros may be missing data.',
  },
  leads: { api: 'These are leads found by name, not verified mentions.' },
  nothingFound: {
    api: 'Nothing was ever found for this brand; that does not say that nobody wrote about it.',
  },

  noAnswerText: {
    api: 'The text of this answer was not collected: its mentions, citations and searches are all that is known.',
  },

  // Lists that are cut
  totalsNotMeasured: {
    api: 'No answer was ever collected for this brand: totals of 0 are not measurements.',
  },
  mostCitedPages: { api: 'These are the {shown} most cited of {total} pages.' },
  mostCitedThreads: { api: 'These are the {shown} most cited of {total} threads.' },
  mostFrequentSearches: { api: 'These are the {shown} most frequent of {total} searches.' },
} as const satisfies { readonly [name: string]: Sentence };

type Sentences = typeof sentences;
type PlacesIn<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}`
  ? Place | PlacesIn<Rest>
  : never;
type ValuesOf<N extends keyof Sentences> = {
  readonly [Place in PlacesIn<Sentences[N]['api']>]: string | number;
};

const PLACE = /\{(\w+)\}/g;

/** A sentence in the words of the API. */
export const sentence = <N extends keyof Sentences>(
  name: N,
  ...[values]: keyof ValuesOf<N> extends never ? [] : [ValuesOf<N>]
): string => filled(sentences[name].api, values ?? {});

const filled = (form: string, values: Readonly<Record<string, unknown>>): string =>
  form.replace(PLACE, (_, place: string) => String(values[place]));

/** Sentences that hold, as one note; null if none does. */
export const notes = (holding: readonly (string | false | null | undefined)[]): string | null =>
  holding.filter(Boolean).join(' ') || null;

/** How a value at a place is recognised. A text ends where the words of the sentence go on. */
const patterns = { date: String.raw`\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?`, count: String.raw`\d+`, text: '.+?' };

const isDate = (place: string): boolean => places[place as keyof typeof places] === 'date';

const recognized = Object.values<Sentence>(sentences).map((words) => {
  const literal = words.api.replace(/[.*+?^$()[\]|\\]/g, String.raw`\$&`);
  const patternAt = (_: string, place: keyof typeof places) => `(?<${place}>${patterns[places[place]]})`;
  return { words, pattern: new RegExp(`(?<gap> ?)${literal.replace(PLACE, patternAt)}`) };
});

/**
 * A note of the API for people: its sentences in the words of tables or of the page. What is no sentence of the contract
 * stays as it is.
 * @param dateOf Writes a date.
 * @returns Null if nothing is left.
 */
export function noteFor(
  reader: 'table' | 'page',
  note: string,
  dateOf: (date: string) => string = (date) => date,
): string | null {
  let text = note;
  for (const { words, pattern } of recognized) {
    const form = words[reader] === undefined ? words.api : words[reader];
    text = text.replace(pattern, (...match) => {
      const { gap, ...found } = match.at(-1) as { [place: string]: string };
      const values = Object.entries(found).map(([place, value]) => [
        place,
        isDate(place) ? dateOf(value) : value,
      ]);
      return form === null ? '' : gap + filled(form, Object.fromEntries(values));
    });
  }
  return text === note ? note : text.trim() || null;
}
