/** What a page is about, from its query: a window and filters, which are the parameters of the reads, checked as the API checks them. */
import { blendedEngineIds, type EngineId } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import { DEFAULT_OPENING } from '../../../contract/opening.js';
import type { Params } from '../../../contract/params.js';
import { escapeControls } from '../../../contract/printable.js';
import type { Read } from '../../../contract/read.js';
import { history } from '../../../contract/reads/history.js';
import type { Prompt } from '../../../contract/reads/prompts.js';
import { type ReadName, reads } from '../../../contract/registry.js';
import { type RunFilter, runFilters } from '../../../contract/slice.js';
import { parseParams, type RawParams } from '../../answers/parameters.js';
import { type Window, windowEnding } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import type { Query } from './paths.js';
import type { Files, Loaded, PageReads, Served, Withheld } from './reads.js';

const { days, from, to, engine } = history.params;
const filters = { engine, ...runFilters } as const satisfies Params;
const sliceParams = { days, from, to, ...filters } as const satisfies Params;

/** The names of all of them. */
export const sliceNames = Object.keys(sliceParams);

/** A filter of the page: the parameter of the same name. */
export type Filter = keyof typeof filters;
export const filterNames = Object.keys(filters) as Filter[];

type Filters = { readonly [F in Filter]?: readonly (F extends 'engine' ? EngineId : string)[] | undefined };

export interface Slice extends Filters {
  /** Days of the window; undefined if from and to were given. */
  readonly days: number | undefined;
  readonly from: string;
  /** The last day; that of the request unless from and to were given. */
  readonly to: string;
  /** Whether the address names the window; else the page chooses it, and its links leave it open. */
  readonly isWindowGiven: boolean;
}

/** How many values the page takes of each filter, and how long one may be. */
export const FILTER_LIMITS = { values: 20, length: 300 } as const;

/**
 * The slice of a query. An empty value, as a form sends it for an empty field, counts as none; a filter may be given several
 * times, as checkboxes send it. Values are in one order, so that equal slices are equal texts.
 * @param today The UTC day of the request.
 * @throws 400 as the API does, and for more or longer values than the page takes.
 */
export function sliceOf(query: RawParams, today: string): Slice {
  const parsed = parseParams(sliceParams, filledIn(query)) as Partial<Slice>;
  const { days: length = DEFAULT_OPENING } = parsed;
  const chosen = Object.fromEntries(
    filterNames.flatMap((name) => {
      const values = parsed[name];
      return values === undefined ? [] : [[name, limited(name, values)]];
    }),
  ) as Filters;
  if (parsed.from !== undefined)
    return { days: undefined, from: parsed.from, to: parsed.to as string, isWindowGiven: true, ...chosen };
  const { start, end } = windowEnding(today, length);
  return { days: length, from: start, to: end, isWindowGiven: parsed.days !== undefined, ...chosen };
}

/** The query without empty values, and each filter as one value. */
const filledIn = (query: RawParams): RawParams =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => {
      const given = [value ?? ''].flat().filter((each) => each !== '');
      if (given.length === 0) return [];
      const isOne = name in filters || given.length === 1;
      return [[name, isOne ? given.join(',') : given]];
    }),
  );

function limited(name: Filter, values: readonly string[]): readonly string[] {
  const { values: most, length } = FILTER_LIMITS;
  if (values.length > most) throw refuse(errors.tooManyValues(name, values.length, most));
  const long = values.find((value) => value.length > length);
  if (long !== undefined) throw refuse(errors.valueTooLong(name, long, length));
  // Engines are in table order already.
  return name === 'engine' ? values : values.toSorted();
}

/** The filters of a slice over the days that the page chooses. */
export function withWindow(slice: Slice, today: string, length: number): Slice {
  const { start, end } = windowEnding(today, length);
  return { ...slice, days: length, from: start, to: end };
}

/** The filters of a slice over a range of days. */
export const withRange = (slice: Slice, { start, end }: Window): Slice => ({
  ...slice,
  days: undefined,
  from: start,
  to: end,
  isWindowGiven: true,
});

/** A slice with other values of a filter; none: without the filter. */
export const withFilter = <F extends Filter>(slice: Slice, name: F, values: Slice[F]): Slice => ({
  ...slice,
  [name]: values?.length ? values : undefined,
});

/** Whether the address of a page can name a value: several stand with commas between, and none has control characters. */
export const canFilterBy = (value: string): boolean =>
  value !== '' &&
  !value.includes(',') &&
  escapeControls(value) === value &&
  value.length <= FILTER_LIMITS.length;

/** The parameters of links that keep the slice. A window that the page chose stays open. */
export const queryOf = (slice: Slice): Query => ({ ...windowOf(slice), ...filtersOf(slice) });

/** The window as a query; empty if the page chose it. */
export const windowOf = (slice: Slice): Query => {
  if (!slice.isWindowGiven) return {};
  return slice.days === undefined ? rangeOf(slice) : { days: slice.days };
};

const rangeOf = ({ from, to }: Slice) => ({ from, to });

export const filtersOf = (slice: Slice, names: readonly Filter[] = filterNames): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => (slice[name] === undefined ? [] : [[name, slice[name].join(',')]])),
  );

/**
 * The part of the slice that a read has parameters for, as its query. Always the days themselves: with their number some reads
 * end on the newest collected day, and one page would show two windows.
 */
export function paramsFor(name: ReadName, slice: Slice): Record<string, string> {
  const { params }: Read = reads[name];
  return {
    // Without a filter the read has all engines, the numbers of a page those with web search.
    ...(name === 'answers' && { engine: blendedEngineIds.join(',') }),
    ...('from' in params && rangeOf(slice)),
    ...filtersOf(
      slice,
      filterNames.filter((filter) => filter in params),
    ),
  };
}

/** The filters of the slice that a read has no parameter for: its numbers are of all their values. */
export const missingIn = (name: ReadName, slice: Slice): Filter[] =>
  filterNames.filter((filter) => slice[filter] !== undefined && !(filter in reads[name].params));

/** Filters that choose prompts: of a read with a row for each prompt, blocks show the rows of the chosen ones. */
export const OF_PROMPTS = ['prompt', 'topic', 'tag'] as const satisfies readonly RunFilter[];
const BY_PROMPT: ReadonlySet<ReadName> = new Set(['prompts', 'content-coverage']);

/** A slice without a choice of prompts. */
export const ofAllPrompts = (slice: Slice): Slice => ({
  ...slice,
  ...Object.fromEntries(OF_PROMPTS.map((name) => [name, undefined])),
});

/** Whether the slice has a prompt. */
export const isChosenBy =
  ({ prompt, topic, tag }: Slice) =>
  (one: Pick<Prompt, 'id' | 'topic_id' | 'tags'>): boolean =>
    (prompt?.includes(one.id) ?? true) &&
    (topic === undefined || (one.topic_id !== null && topic.includes(one.topic_id))) &&
    (tag === undefined || one.tags.some((each) => tag.includes(each)));

const NOUNS: Readonly<Record<Filter, string>> = {
  engine: 'engines',
  prompt: 'prompts',
  topic: 'topics',
  tag: 'tags',
  region: 'regions',
  surface: 'surfaces',
};
const together = new Intl.ListFormat('en-GB');

/** What some filters do not apply to, in words: `of all tags and regions`; undefined: they all apply. */
export const beyondWords = (missing: readonly Filter[]): string | undefined =>
  missing.length === 0 ? undefined : `of all ${together.format(missing.map((filter) => NOUNS[filter]))}`;

/** The reads of a page over its slice. What a read is not filtered by stands in `beyond`, for its block. */
export interface SlicedReads {
  load<N extends ReadName>(name: N, more?: Readonly<Record<string, string>>): Promise<Loaded<N>>;
  loadIfPossible<N extends ReadName>(
    name: N,
    more?: Readonly<Record<string, string>>,
  ): Promise<Loaded<N> | Withheld>;
}

/** The files of the reads that a page shows, by the name of the read. */
export type Exports = Map<ReadName, Files>;

/** @param exports Gets the files of each read that is loaded, the first of a name; if omitted, they are not kept. */
export function slicedReads(reads: PageReads, slice: Slice, exports?: Exports): SlicedReads {
  const params = (name: ReadName, more = {}) => ({ ...more, ...paramsFor(name, slice), ...more });
  const about = <L extends Served>(name: ReadName, loaded: L) => {
    if (loaded.files && exports && !exports.has(name)) exports.set(name, loaded.files);
    const shown: readonly Filter[] = BY_PROMPT.has(name) ? OF_PROMPTS : [];
    return { ...loaded, beyond: beyondWords(missingIn(name, slice).filter((each) => !shown.includes(each))) };
  };
  return {
    load: async (name, more) => about(name, await reads.load(name, params(name, more))),
    loadIfPossible: async (name, more) => {
      const found = await reads.loadIfPossible(name, params(name, more));
      return 'refused' in found ? found : about(name, found);
    },
  };
}

/** One value of a filter, and the slice without it. */
export interface Chip {
  readonly filter: Filter;
  readonly value: string;
  readonly without: Slice;
}

export const chipsOf = (slice: Slice): Chip[] =>
  filterNames.flatMap((filter) => {
    const values: readonly string[] = slice[filter] ?? [];
    return values.map((value) => {
      const others = values.filter((each) => each !== value);
      return { filter, value, without: withFilter(slice, filter, others as never) };
    });
  });
