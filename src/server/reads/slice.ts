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
import { daysIn, type Window, windowBefore, windowEnding } from '../days.js';
import { refuse } from '../errors.js';
import { runsSince } from '../queries/retention.js';
import type { ChosenRuns } from '../queries/run-choice.js';
import { type ChosenPrompt, collectedRegions, promptsNamed, topicsNamed } from '../queries/slice-values.js';
import type { ReadContext } from './reader.js';

export type SliceParams = ParsedParams<typeof sliceParams>;
type Source = Pick<ReadContext, 'db' | 'brand'>;

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
  context: Source & Pick<ReadContext, 'today'>,
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

/** The filters of runs that are given. */
export const filtersIn = (params: SliceParams): RunFilter[] =>
  runFilterNames.filter((name) => params[name] !== undefined);

/**
 * The runs that prompt, topic, tag and region choose; null: none of them is given.
 * @throws 400 for a value that does not exist.
 */
export async function chosenRunsOf(source: Source, params: SliceParams): Promise<ChosenRuns | null> {
  if (filtersIn(params).length === 0) return null;
  const [promptKeys, regions] = await Promise.all([promptKeysOf(source, params), regionsOf(source, params)]);
  return { promptKeys, regions };
}

async function promptKeysOf(source: Source, params: SliceParams): Promise<number[] | null> {
  const { prompt, topic, tag } = params;
  if (!prompt && !topic && !tag) return null;
  const [prompts, topics, tags] = [prompt, topic, tag].map((values) => (values ?? []).filter(isStorable));
  const brandKey = source.brand.key;
  const [named, folders] = await Promise.all([
    promptsNamed(source.db, { brandKey, prompts: prompts!, topics: topics!, tags: tags! }),
    topic ? topicsNamed(source.db, { brandKey, topics: topics! }) : [],
  ]);
  requireKnown(prompt, new Set(named.map(({ id }) => id)), errors.unknownPrompt);
  requireKnown(topic, new Set(folders.map(({ id }) => id)), errors.unknownTopic);
  requireKnown(tag, new Set(named.flatMap((each) => each.tags)), errors.unknownTag);
  const [inPrompts, inTopics, inTags] = [new Set(prompt), new Set(topic), new Set(tag)];
  const isChosen = ({ id, topic_id, tags }: ChosenPrompt): boolean =>
    (!prompt || inPrompts.has(id)) &&
    (!topic || (topic_id !== null && inTopics.has(topic_id))) &&
    (!tag || tags.some((each) => inTags.has(each)));
  return named.filter(isChosen).map(({ key }) => key);
}

async function regionsOf({ db, brand }: Source, { region }: SliceParams): Promise<readonly string[] | null> {
  if (!region) return null;
  const known = (await collectedRegions(db, { brandKey: brand.key })).map((row) => row.region);
  requireKnown(region, new Set(known), (value) => errors.unknownRegion(value, known));
  return region;
}

/** The database cannot store other texts, so they are unknown without a query. */
const isStorable = (value: string): boolean => !value.includes('\u0000') && value.isWellFormed();

function requireKnown(
  values: readonly string[] | undefined,
  known: ReadonlySet<string>,
  unknown: (value: string) => ReturnType<typeof errors.unknownPrompt>,
): void {
  const missing = values?.find((value) => !known.has(value));
  if (missing !== undefined) throw refuse(unknown(missing));
}

/**
 * Checks that the runs which a slice is measured on are stored from a day on.
 * @throws 400 if some of them were pruned.
 */
export async function requireRunsSince(
  { db, brand }: Source,
  first: string,
  params: SliceParams,
): Promise<void> {
  const [row] = await runsSince(db, { brandKey: brand.key });
  const since = row?.day ?? null;
  if (since === null || first >= since) return;
  const name = filtersIn(params)[0] ?? (params.engine ? 'engine' : 'from');
  throw refuse(errors.runsPruned(name, first, since));
}
