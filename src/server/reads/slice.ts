/** From the parameters of a read to the runs that it measures. */
import { blendedEngineIds, type EngineId } from '../../contract/engines.js';
import { errors } from '../../contract/errors.js';
import type { Slice as Given } from '../../contract/slice.js';
import { daysIn, type Window, windowBefore, windowEnding } from '../days.js';
import { refuse } from '../errors.js';
import { runsSince } from '../queries/retention.js';
import type { ChosenRuns } from '../queries/run-choice.js';
import { chosenRunsOf, filtersIn, type SliceParams } from './chosen-runs.js';
import type { ReadContext } from './reader.js';

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
