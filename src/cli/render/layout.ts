/** The widths of a column, and whether it may shrink or be dropped. */
export interface Extent {
  /** Width of its widest cell. */
  readonly body: number;
  /** Width of its head on one line, and of its widest word. */
  readonly head: number;
  readonly narrowHead: number;
  readonly room: 'fixed' | 'flexible' | 'spare';
}

export interface Layout {
  /** Width of each column, undefined for those left out. */
  readonly widths: readonly (number | undefined)[];
}

/** Columns between two columns. */
export const GAP = 2;
/** The width down to which a shortened text is readable. */
const READABLE = 24;
const LEAST = 8;

/**
 * Fits columns into `available` terminal columns. In this order: heads wrap, flexible columns shrink to a readable width,
 * spare columns are dropped from the last one on, flexible columns shrink further, the other columns are dropped from the last
 * one on. The first column always stays.
 */
export function layOut(columns: readonly Extent[], available: number | undefined): Layout {
  const roomy = columns.map(({ body, head }) => Math.max(body, head));
  if (available === undefined || total(roomy) <= available) return { widths: roomy };
  const narrow = columns.map(({ body, narrowHead }) => Math.max(body, narrowHead));
  const places = columns.map((_, at) => at).reverse();
  const spare = places.filter((at) => columns[at]!.room === 'spare');
  const others = places.filter((at) => at > 0 && columns[at]!.room !== 'spare');
  const steps = [
    { least: READABLE, leaving: [undefined, ...spare] },
    { least: LEAST, leaving: [undefined, ...others] },
  ];
  let widths: readonly (number | undefined)[] = narrow;
  let fitting = widths;
  for (const { least, leaving } of steps) {
    for (const left of leaving) {
      if (left !== undefined) widths = widths.with(left, undefined);
      fitting = shrink(columns, widths, available, least);
      if (total(fitting) <= available) return { widths: widen(columns, fitting, available) };
    }
  }
  return { widths: fitting };
}

/** Narrows the widest flexible column, one terminal column at a time, until all fit or each has the width `least`. */
function shrink(
  columns: readonly Extent[],
  widths: readonly (number | undefined)[],
  available: number,
  least: number,
): (number | undefined)[] {
  const fitted = [...widths];
  for (let excess = total(fitted) - available; excess > 0; excess -= 1) {
    const widest = columns.reduce((found, { room }, at) => {
      const width = fitted[at] ?? 0;
      return room === 'flexible' && width > Math.max(least, fitted[found] ?? 0) ? at : found;
    }, -1);
    if (widest === -1) break;
    fitted[widest] = fitted[widest]! - 1;
  }
  return fitted;
}

/** Distributes the remaining width to the columns that have the heads with the most lines. */
function widen(
  columns: readonly Extent[],
  widths: readonly (number | undefined)[],
  available: number,
): (number | undefined)[] {
  const widened = [...widths];
  const lines = (at: number) => (columns[at]?.head ?? 0) / (widened[at] ?? Number.POSITIVE_INFINITY);
  for (let left = available - total(widths); left > 0; left -= 1) {
    const tallest = columns.reduce(
      (found, _, at) => (lines(at) > Math.max(1, lines(found)) ? at : found),
      -1,
    );
    if (tallest === -1) break;
    widened[tallest] = widened[tallest]! + 1;
  }
  return widened;
}

function total(widths: readonly (number | undefined)[]): number {
  const shown = widths.filter((width) => width !== undefined);
  return shown.reduce((sum, width) => sum + width, GAP * Math.max(0, shown.length - 1));
}
