import { addDays } from '../days.js';
import { ENGINES } from '../engines.js';
import type { SliceParams } from '../parameters.js';
import type { DatasetRecord } from '../records.js';
import { recordsOfBrand } from '../records.js';
import type { Draw } from './draw.js';
import { drawFrom } from './draw.js';

/** The values that a brand has, each once; a parameter without any cannot be requested. */
interface Values {
  engines: readonly string[];
  prompts: readonly string[];
  topics: readonly string[];
  tags: readonly string[];
  regions: readonly string[];
  surfaces: readonly string[];
}

const LISTS = ['engines', 'prompts', 'topics', 'tags', 'regions', 'surfaces'] as const;

/**
 * Valid slices of a brand: one parameter and several, one value and several, some twice, days of all kinds. Some
 * select nothing. Nothing in them depends on anything but the seed, the records and the day.
 */
export function randomSlices(
  seed: number,
  records: DatasetRecord[],
  brand: string,
  today: string,
  count: number,
): SliceParams[] {
  const draw = drawFrom(seed);
  const values = valuesOf(records, brand);
  const first = draw.int(0, LISTS.length - 1);
  return Array.from({ length: count }, (_, at) =>
    randomSlice(draw, values, LISTS[(first + at) % LISTS.length]!, today),
  );
}

function valuesOf(records: DatasetRecord[], brand: string): Values {
  const prompts = recordsOfBrand(records, 'prompt', brand);
  const runs = recordsOfBrand(records, 'run', brand);
  const each = (texts: string[]) => [...new Set(texts)];
  return {
    engines: ENGINES,
    prompts: each(prompts.map(({ id }) => id)),
    topics: each(recordsOfBrand(records, 'topic', brand).map(({ id }) => id)),
    tags: each(prompts.flatMap(({ tags }) => tags ?? [])),
    regions: each(runs.map(({ region }) => region)),
    surfaces: ['api', 'ui', 'serp'],
  };
}

/**
 * Mostly one list or two, so that most slices select runs. Never empty: where the brand has no value, the slice is a
 * range of days.
 */
function randomSlice(draw: Draw, values: Values, list: (typeof LISTS)[number], today: string): SliceParams {
  const slice: SliceParams = {};
  const others = draw.some(LISTS, draw.pick([0, 0, 0.2, 0.6]));
  for (const each of new Set([list, ...others])) {
    if (values[each].length > 0) slice[each] = randomValues(draw, values[each]);
  }
  const isEmpty = Object.keys(slice).length === 0;
  return isEmpty || draw.chance(0.3) ? { ...slice, ...randomDays(draw, today) } : slice;
}

/** One value, or several in any order, now and then one twice. */
function randomValues(draw: Draw, values: readonly string[]): string[] {
  if (draw.chance(0.3)) return [draw.pick(values)];
  const some = draw.shuffled(draw.some(values, 0.6));
  return some.length === 0 ? [draw.pick(values)] : [...some, ...draw.some(some, 0.2)];
}

/** The plain window, a day, some days, weeks, what is before or after all runs, the longest range. */
function randomDays(draw: Draw, today: string): SliceParams {
  const [first, last] = draw.pick([
    [-6, 0],
    [-13, -7],
    [-draw.int(0, 20), 0],
    [-3, -3],
    [-draw.int(8, 20), -draw.int(0, 7)],
    [-27, 0],
    [-draw.int(28, 60), -draw.int(0, 5)],
    [-draw.int(0, 6), draw.int(1, 5)],
    [-300, -200],
    [2, 9],
    [-365, 0],
  ] as [number, number][]);
  return { from: addDays(today, first), to: addDays(today, last) };
}
