/** The runs that prompt, topic, tag and region choose: values to keys, each checked once. */
import { errors } from '../../contract/errors.js';
import type { ParsedParams } from '../../contract/params.js';
import { type RunFilter, runFilterNames, type sliceParams } from '../../contract/slice.js';
import { isStorable } from '../database/storable.js';
import { refuse } from '../errors.js';
import type { ChosenRuns } from '../queries/run-choice.js';
import {
  type ChosenPrompt,
  collectedRegions,
  promptCount,
  promptsNamed,
  topicsNamed,
} from '../queries/slice-values.js';
import type { ReadContext } from './reader.js';

export type SliceParams = ParsedParams<typeof sliceParams>;
type Source = Pick<ReadContext, 'db' | 'brand'>;

/** The filters of runs that are given. */
export const filtersIn = (params: SliceParams): RunFilter[] =>
  runFilterNames.filter((name) => params[name] !== undefined);

/**
 * The runs that prompt, topic, tag and region choose; null: all of them, because none of these is given or each has every
 * value. Every run has a prompt and a region, so the roll-ups have the sums of such a choice.
 * @throws 400 for a value that does not exist.
 */
export async function chosenRunsOf(source: Source, params: SliceParams): Promise<ChosenRuns | null> {
  if (filtersIn(params).length === 0) return null;
  const [promptKeys, regions] = await Promise.all([promptKeysOf(source, params), regionsOf(source, params)]);
  return promptKeys === null && regions === null ? null : { promptKeys, regions };
}

/** Null: every prompt. */
async function promptKeysOf(source: Source, params: SliceParams): Promise<number[] | null> {
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
async function regionsOf({ db, brand }: Source, { region }: SliceParams): Promise<readonly string[] | null> {
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
