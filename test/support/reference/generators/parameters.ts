import { addDays } from '../days.js';
import { ENGINES } from '../engines.js';
import type { AdsParams, HistoryParams, Metric, PresetDays, SentimentParams } from '../parameters.js';
import type { DatasetRecord } from '../records.js';
import type { Draw } from './draw.js';
import { drawFrom } from './draw.js';
import { randomSlices } from './slices.js';

const PRESETS: readonly PresetDays[] = [7, 14, 28, 56];
const METRICS: readonly Metric[] = [
  'visibility',
  'presence_rate',
  'share_of_voice_fraction',
  'citation_share',
  'sentiment_index',
];

/** Valid parameters of the three reads that take a window. */
export interface RandomParameters {
  sentiment: SentimentParams[];
  ads: AdsParams[];
  history: HistoryParams[];
}

/** Defaults, every preset and custom ranges around the live horizon, with engine filters of all kinds. */
export function randomParameters(seed: number, today: string): RandomParameters {
  const draw = drawFrom(seed);
  const windows: AdsParams[] = [
    {},
    ...PRESETS.map((days) => ({ days })),
    ...Array.from({ length: 4 }, () => randomRange(draw, today)),
  ];
  return {
    sentiment: windows.map((window) => ({ ...window, ...randomEngines(draw) })),
    ads: windows.map((window) => ({ ...window, ...randomEngines(draw) })),
    history: [...windows, ...Array.from({ length: 3 }, () => randomRange(draw, today))].map((window) => ({
      metric: draw.pick(METRICS),
      ...window,
      ...randomEngines(draw),
      ...draw.pick([{}, { competitors: true }, { competitors: true }, { competitors: false }]),
    })),
  } as RandomParameters;
}

/** Requests of history with a slice of a brand; a slice without days has a preset or the default. */
export function randomSlicedHistory(
  seed: number,
  records: DatasetRecord[],
  brand: string,
  today: string,
  count: number,
): HistoryParams[] {
  const draw = drawFrom(seed);
  return randomSlices(seed, records, brand, today, count).map((slice) => ({
    metric: draw.pick(METRICS),
    competitors: draw.chance(0.5),
    ...(slice.from === undefined && draw.chance(0.7) ? { days: draw.pick(PRESETS) } : {}),
    ...slice,
  }));
}

/** A day, a short range, one that crosses the horizon, one before it, or one that reaches into the future. */
function randomRange(draw: Draw, today: string): AdsParams {
  const [first, last] = draw.pick([
    [-3, -3],
    [-draw.int(8, 30), -draw.int(0, 7)],
    [-55, -draw.int(0, 54)],
    [-27, 0],
    [-28, -1],
    [-draw.int(56, 110), -draw.int(0, 55)],
    [-draw.int(80, 110), -draw.int(56, 79)],
    [-draw.int(0, 40), draw.int(0, 5)],
    [-365, 0],
  ] as [number, number][]);
  return { from: addDays(today, first), to: addDays(today, last) };
}

/** None, one, or several in any order, now and then one twice. */
function randomEngines(draw: Draw): { engines?: string[] } {
  if (draw.chance(0.4)) return {};
  if (draw.chance(0.5)) return { engines: [draw.pick(['chatgpt', draw.pick(ENGINES)])] };
  const engines = draw.shuffled(draw.some(ENGINES, 0.4));
  return engines.length === 0 ? {} : { engines: [...engines, ...draw.some(engines, 0.2)] };
}
