/** From the parameters of a read to the runs that it measures. */

import { blendedEngineIds, type EngineId } from '../../contract/engines.js';
import { errors } from '../../contract/errors.js';
import type { ParsedParams } from '../../contract/params.js';
import {
  type Slice as Given,
  type RunFilter,
  runFilterNames,
  type sliceParams,
} from '../../contract/slice.js';
import { runsSince } from '../dataset/pruned-runs.js';
import { daysIn, type Window, windowBefore, windowEnding } from '../days.js';
import { refuse } from '../errors.js';
import { isStorable, statement } from '../statement.js';
import type { ChosenRuns } from '../sums/run-choice.js';
import type { ReadContext } from './reader.js';

// What the values of a slice stand for.

/** The elements of a binding as rows, which the database hashes: a caller may send as many values as a message can hold. */
const among = (name: string): string => `in (select unnest(cast(:${name} as text[])))`;

interface ChosenPrompt {
  key: number;
  id: string;
  topic_id: string | null;
  tags: string[];
}

/** The prompts, active or not, that one of the values names: by id, by topic folder or by tag. */
export const promptsNamed = statement<
  ChosenPrompt,
  { brandKey: number; prompts: readonly string[]; topics: readonly string[]; tags: readonly string[] }
>(
  'prompts_named',
  `select prompt_key as key, id, topic_id, tags from prompts
   where brand_key = :brandKey
     and (id ${among('prompts')} or topic_id ${among('topics')}
       or prompt_key in (
         select t.prompt_key from prompts t cross join unnest(t.tags) tag
         where t.brand_key = :brandKey and tag ${among('tags')}
       ))`,
);

/** How many prompts there are, active or not. Always one row. */
const promptCount = statement<{ prompts: number }, { brandKey: number }>(
  'prompt_count',
  'select count(*) as prompts from prompts where brand_key = :brandKey',
);

/** The topic folders with these ids. */
export const topicsNamed = statement<{ id: string }, { brandKey: number; topics: readonly string[] }>(
  'topics_named',
  `select id from topics where brand_key = :brandKey and id ${among('topics')}`,
);

/** The regions in which runs were collected. */
const collectedRegions = statement<{ region: string }, { brandKey: number }>(
  'collected_regions',
  'select distinct region from day_region where brand_key = :brandKey order by region',
);

// The runs that prompt, topic, tag and region choose: values to keys, each checked once.

export type SliceParams = ParsedParams<typeof sliceParams>;
type BrandSource = Pick<ReadContext, 'db' | 'brand'>;

/** The filters of runs that are given. */
export const filtersIn = (params: SliceParams): RunFilter[] =>
  runFilterNames.filter((name) => params[name] !== undefined);

/**
 * The runs that prompt, topic, tag and region choose; null: all of them, because none of these is given or each has every
 * value. Every run has a prompt and a region, so the roll-ups have the sums of such a choice.
 * @throws 400 for a value that does not exist.
 */
export async function chosenRunsOf(source: BrandSource, params: SliceParams): Promise<ChosenRuns | null> {
  if (filtersIn(params).length === 0) return null;
  const [promptKeys, regions] = await Promise.all([promptKeysOf(source, params), regionsOf(source, params)]);
  return promptKeys === null && regions === null ? null : { promptKeys, regions };
}

/** Null: every prompt. */
async function promptKeysOf(source: BrandSource, params: SliceParams): Promise<number[] | null> {
  const { prompt, topic, tag } = params;
  if (!prompt && !topic && !tag) return null;
  // The database cannot compare other texts, so they are unknown without a query.
  const [prompts, topics, tags] = [prompt, topic, tag].map((values) => (values ?? []).filter(isStorable));
  const brandKey = source.brand.key;
  const [named, folders, [count]] = await Promise.all([
    promptsNamed(source.db, { brandKey, prompts: prompts!, topics: topics!, tags: tags! }),
    topic ? topicsNamed(source.db, { brandKey, topics: topics! }) : [],
    promptCount(source.db, { brandKey }),
  ]);
  requireKnown(prompt, new Set(named.map(({ id }) => id)), errors.unknownPrompt);
  requireKnown(topic, new Set(folders.map(({ id }) => id)), errors.unknownTopic);
  requireKnown(tag, new Set(named.flatMap((each) => each.tags)), errors.unknownTag);
  const [inPrompts, inTopics, inTags] = [new Set(prompt), new Set(topic), new Set(tag)];
  const isChosen = ({ id, topic_id, tags }: ChosenPrompt): boolean =>
    (!prompt || inPrompts.has(id)) &&
    (!topic || (topic_id !== null && inTopics.has(topic_id))) &&
    (!tag || tags.some((each) => inTags.has(each)));
  const chosen = named.filter(isChosen).map(({ key }) => key);
  return chosen.length === count!.prompts ? null : chosen;
}

/** Null: every region. */
async function regionsOf(
  { db, brand }: BrandSource,
  { region }: SliceParams,
): Promise<readonly string[] | null> {
  if (!region) return null;
  const known = (await collectedRegions(db, { brandKey: brand.key })).map((row) => row.region);
  requireKnown(region, new Set(known), (value) => errors.unknownRegion(value, known));
  return known.every((each) => region.includes(each)) ? null : region;
}

function requireKnown(
  values: readonly string[] | undefined,
  known: ReadonlySet<string>,
  unknown: (value: string) => ReturnType<typeof errors.unknownPrompt>,
): void {
  const missing = values?.find((value) => !known.has(value));
  if (missing !== undefined) throw refuse(unknown(missing));
}

export interface Slice {
  readonly window: Window;
  /** The window of equal length just before. */
  readonly prior: Window;
  /** `blendedEngineIds` itself where the engines are the blended ones. */
  readonly engines: readonly EngineId[];
  /** Which runs on these engines; null: all of them. */
  readonly runs: ChosenRuns | null;
  /** What the caller chose, as the contract states it; null: nothing. */
  readonly given: Given | null;
}

/**
 * The slice that the parameters choose.
 * @param otherwise The engines without a filter.
 * @throws 400 for a value that does not exist.
 */
export async function sliceOf(
  context: BrandSource & Pick<ReadContext, 'today'>,
  params: SliceParams,
  otherwise: readonly EngineId[] = blendedEngineIds,
): Promise<Slice> {
  const { from, to, engine = otherwise } = params;
  const window = from && to ? { start: from, end: to } : windowEnding(context.today);
  return {
    window,
    prior: windowBefore(window),
    engines: isBlended(engine) ? blendedEngineIds : engine,
    runs: await chosenRunsOf(context, params),
    given: givenOf(params),
  };
}

/** Both are in table order. */
const isBlended = (engines: readonly EngineId[]): boolean => engines.join() === blendedEngineIds.join();

/** The last fields of the body. */
export const slicedFields = ({ window, given }: Slice) => ({
  window: { ...window, days: daysIn(window) },
  slice: given,
});

/** The parameters as the contract repeats them; null: none is given. */
export function givenOf(params: SliceParams): Given | null {
  const { from = null, to = null, engine, prompt, topic, tag, region } = params;
  const lists = { engines: engine, prompts: prompt, topics: topic, tags: tag, regions: region };
  const values = Object.entries(lists).map(([name, list]) => [name, list ? [...list] : null]);
  if (from === null && values.every(([, list]) => list === null)) return null;
  return { from, to, ...Object.fromEntries(values) };
}

/**
 * Checks that the runs which a slice is measured on are stored from a day on.
 * @throws 400 if some of them were pruned.
 */
export async function requireRunsSince(
  { db, brand }: BrandSource,
  first: string,
  params: SliceParams,
): Promise<void> {
  const [row] = await runsSince(db, { brandKey: brand.key });
  const since = row?.day ?? null;
  if (since === null || first >= since) return;
  const name = filtersIn(params)[0] ?? (params.engine ? 'engine' : 'from');
  throw refuse(errors.runsPruned(name, first, since));
}
