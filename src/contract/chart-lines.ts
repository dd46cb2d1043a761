/** The lines of a chart of the brand and its competitors, the same on the page and in the command. */
import { compareText } from './order.js';

export const CHART_COMPETITORS = 4;
/** The looks that competitors can have, numbered from 1. Look 0 is the brand’s. */
export const COMPETITOR_LOOKS = 24;

interface Entity {
  readonly id: string;
  readonly is_brand: boolean;
  readonly window_value: number | null;
  readonly points?: readonly { readonly value: number | null; readonly sample_size: number }[];
}

/** One entity of a chart, and the number of its colour and mark. */
export interface ChartLine<Series> {
  readonly series: Series;
  readonly look: number;
}

/**
 * The brand, then the competitors with the highest values, the strongest first. A look belongs to a competitor, whatever the
 * window and the filter: it follows from its id. Only where two of the chart would look alike, which needs more competitors
 * than looks, does the weaker one get another look.
 * @param all The brand and every tracked competitor.
 * @param only The id of the one competitor that is drawn, instead of the strongest.
 */
export function chartLines<Series extends Entity>(
  all: readonly Series[],
  only?: string,
): ChartLine<Series>[] {
  const competitors = all.filter(({ is_brand }) => !is_brand);
  const lookOf = looksById(competitors.map(({ id }) => id));
  const strongest = competitors
    .filter(({ id }) => only === undefined || id === only)
    .toSorted((a, b) => strengthOf(b) - strengthOf(a))
    .slice(0, CHART_COMPETITORS);
  const taken = new Set<number>();
  return [
    ...all.filter(({ is_brand }) => is_brand).map((series) => ({ series, look: 0 })),
    ...strongest.map((series) => {
      const look = firstFree(lookOf.get(series.id)!, taken);
      taken.add(look);
      return { series, look };
    }),
  ];
}

/** The value of the window; where only days have values, as in daily statistics, their mean by answers. */
function strengthOf({ window_value, points = [] }: Entity): number {
  if (window_value !== null) return window_value;
  const measured = points.filter(({ value }) => value !== null);
  const answers = measured.reduce((sum, { sample_size }) => sum + sample_size, 0);
  if (answers === 0) return -1;
  return measured.reduce((sum, { value, sample_size }) => sum + value! * sample_size, 0) / answers;
}

/** The look of every competitor: the one that its id stands for, or the next that no smaller id has. */
function looksById(ids: readonly string[]): ReadonlyMap<string, number> {
  const looks = new Map<string, number>();
  const taken = new Set<number>();
  for (const id of ids.toSorted(compareText)) {
    if (taken.size === COMPETITOR_LOOKS) taken.clear();
    const look = firstFree(1 + (hashOf(id) % COMPETITOR_LOOKS), taken);
    taken.add(look);
    looks.set(id, look);
  }
  return looks;
}

function firstFree(look: number, taken: ReadonlySet<number>): number {
  let free = look;
  while (taken.has(free)) free = 1 + (free % COMPETITOR_LOOKS);
  return free;
}

/** FNV-1a, 32 bits, of the UTF-16 units. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
