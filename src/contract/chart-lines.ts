/** The lines of a chart of the brand and its competitors, the same on the page and in the command. */

export const CHART_COMPETITORS = 4;
/** The looks that competitors can have, numbered from 1. Look 0 is the brand’s. */
export const COMPETITOR_LOOKS = 24;

interface Entity {
  readonly id: string;
  readonly is_brand: boolean;
  readonly window_value: number | null;
}

/** One entity of a chart, and the number of its colour and mark. */
export interface ChartLine<Series> {
  readonly series: Series;
  readonly look: number;
}

/**
 * The brand, then the competitors with the highest values, the strongest first. A look belongs to a competitor, whatever the
 * window and the filter: it follows from the competitor’s place among all that are tracked. Only where two of the chart would
 * look alike does the weaker one get another look.
 * @param all The brand and every tracked competitor, in the order of the API.
 * @param only The id of the one competitor that is drawn, instead of the strongest.
 */
export function chartLines<Series extends Entity>(
  all: readonly Series[],
  only?: string,
): ChartLine<Series>[] {
  const competitors = all
    .filter(({ is_brand }) => !is_brand)
    .map((series, place) => ({ series, look: 1 + (place % COMPETITOR_LOOKS) }));
  const strongest = competitors
    .filter(({ series: { id } }) => only === undefined || id === only)
    .toSorted((a, b) => (b.series.window_value ?? -1) - (a.series.window_value ?? -1))
    .slice(0, CHART_COMPETITORS);
  const taken = new Set<number>();
  return [
    ...all.filter(({ is_brand }) => is_brand).map((series) => ({ series, look: 0 })),
    ...strongest.map(({ series, look: own }) => {
      let look = own;
      while (taken.has(look)) look = 1 + (look % COMPETITOR_LOOKS);
      taken.add(look);
      return { series, look };
    }),
  ];
}
