/** From the parameters of a read to the runs that it measures. */

import { blendedEngineIds, type EngineId } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import type { ParsedParams } from '../../../contract/params.js';
import type { RunFilter, Slice as Selection, sliceParams } from '../../../contract/slice.js';
import { surfaces } from '../../../contract/surfaces.js';
import { daysIn, type Window, windowBefore, windowEnding } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { isStorable, statement } from '../../base/statement.js';
import { runsSince } from '../sums/collected-days.js';
import type { ChosenRuns } from '../sums/run-choice.js';
import { areBlended, rollupOf, type SliceSource } from '../sums/slice-sums.js';
import type { BrandSource, ReadContext } from './reader.js';

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
export const collectedRegions = statement<{ region: string }, { brandKey: number }>(
  'collected_regions',
  'select distinct region from day_region where brand_key = :brandKey order by region',
);

/** The surfaces of all runs, with and without an answer; empty: of those that state none. */
export const collectedSurfaces = statement<{ surface: string }, { brandKey: number }>(
  'collected_surfaces',
  `select surface from day_surface where brand_key = :brandKey
   union select surface from day_outcomes where brand_key = :brandKey
   union select '' where coalesce((select sum(run_count) from day_scope where brand_key = :brandKey), 0)
     > coalesce((select sum(run_count) from day_surface where brand_key = :brandKey), 0)`,
);

// The runs that prompt, topic, tag, region and surface choose: values to keys, each checked once.

export type SliceParams = ParsedParams<typeof sliceParams>;

export function filtersIn({ prompt, topic, tag, region, surface }: SliceParams): RunFilter[] {
  const filters = { prompt, topic, tag, region, surface } satisfies Record<RunFilter, unknown>;
  return (Object.keys(filters) as RunFilter[]).filter((name) => filters[name] !== undefined);
}

/**
 * The runs that prompt, topic, tag, region and surface choose; null: all of them, because none of these is given or each has
 * every value that runs have. The roll-ups have the sums of such a choice.
 * @throws 400 for a value that does not exist.
 */
export async function chosenRunsOf(source: BrandSource, params: SliceParams): Promise<ChosenRuns | null> {
  if (filtersIn(params).length === 0) return null;
  const [promptKeys, regions, surfaces] = await Promise.all([
    promptKeysOf(source, params),
    regionsOf(source, params),
    surfacesOf(source, params),
  ]);
  const isEveryRun = promptKeys === null && regions === null && surfaces === null;
  return isEveryRun ? null : { promptKeys, regions, surfaces };
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

/** Null: every surface, and no run states none. */
async function surfacesOf(
  { db, brand }: BrandSource,
  { surface }: SliceParams,
): Promise<readonly string[] | null> {
  if (!surface) return null;
  requireKnown(surface, new Set<string>(surfaces), errors.unknownSurface);
  const known = await collectedSurfaces(db, { brandKey: brand.key });
  return known.every((row) => surface.includes(row.surface)) ? null : surface;
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
  readonly engines: readonly EngineId[];
  /** Which runs on these engines; null: all of them. */
  readonly runs: ChosenRuns | null;
  /** Whether the roll-ups of prompts and citations have its sums: they are of all runs on the blended engines. */
  readonly rolledUp: boolean;
  /** What the caller chose, as the contract states it; null: nothing. */
  readonly selection: Selection | null;
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
  const runs = await chosenRunsOf(context, params);
  return {
    window,
    prior: windowBefore(window),
    engines: engine,
    runs,
    rolledUp: isRolledUp(engine, runs),
    selection: selectionOf(params),
  };
}

/** Whether all runs on the blended engines are chosen. Engines are in table order. */
export const isRolledUp = (engines: readonly EngineId[], runs: ChosenRuns | null): boolean =>
  runs === null && areBlended(engines);

/** The fields of a sliced read that state its slice. */
export const slicedFields = ({ window, selection }: Slice) => ({
  window: { ...window, days: daysIn(window) },
  slice: selection,
});

/** The parameters as the contract repeats them; null: none is given. */
export function selectionOf(params: SliceParams): Selection | null {
  const { from = null, to = null, engine, prompt, topic, tag, region, surface } = params;
  const lists = {
    engines: engine,
    prompts: prompt,
    topics: topic,
    tags: tag,
    regions: region,
    surfaces: surface,
  };
  const values = Object.entries(lists).map(([name, list]) => [name, list ? [...list] : null]);
  if (from === null && values.every(([, list]) => list === null)) return null;
  return { from, to, ...Object.fromEntries(values) };
}

/** What has the sums of a slice: the roll-ups of every run, those by prompt or by region, or only the runs. */
export type SumsSource = 'every run' | SliceSource;

/**
 * What a slice is summed from.
 * @param first The first day that is summed.
 * @throws 400 if runs are needed and some of them were pruned.
 */
export async function sumsSourceOf(
  context: BrandSource,
  slice: Pick<Slice, 'engines' | 'runs' | 'window'>,
  first: string,
  params: SliceParams,
): Promise<SumsSource> {
  const { engines, runs } = slice;
  if (runs === null) return 'every run';
  const rollup = rollupOf(engines, runs);
  if (rollup !== null) return rollup;
  await requireRunsSince(context, first, params);
  return 'runs';
}

/** The day from which all runs are stored; null: none was pruned. */
async function storedSince({ db, brand }: BrandSource): Promise<string | null> {
  const [row] = await runsSince(db, { brandKey: brand.key });
  return row?.day ?? null;
}

/**
 * Checks that the runs which a slice is measured on are stored from a day on.
 * @param also Parameters besides those of a slice that need them.
 * @throws 400 if some of them were pruned.
 */
export async function requireRunsSince(
  source: BrandSource,
  first: string,
  params: SliceParams,
  also: readonly string[] = [],
): Promise<void> {
  const since = await storedSince(source);
  if (since === null || first >= since) return;
  const names = [...filtersIn(params), ...(params.engine ? ['engine'] : []), ...also];
  throw refuse(errors.runsPruned(names.length > 0 ? names : ['from'], first, since));
}
