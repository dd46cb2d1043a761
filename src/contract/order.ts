/**
 * The order of the unpaged read of a list, if its pages have another order: rows are ordered by these fields in turn, numbers
 * descending, null last; texts by code point.
 */
export type Order = readonly string[];

/** A comparison of rows for `sort`; fields hold numbers, texts or null. */
export const comparison =
  (order: Order) =>
  <Row extends object>(a: Row, b: Row): number => {
    for (const field of order) {
      const difference = compare(a[field as keyof Row], b[field as keyof Row]);
      if (difference !== 0) return difference;
    }
    return 0;
  };

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const [left, right] = [a ?? Number.NEGATIVE_INFINITY, b ?? Number.NEGATIVE_INFINITY] as [number, number];
  return left === right ? 0 : right - left;
}

/** Order of text by code point, as the database's collation "C" has it. (`<` compares UTF-16 units, which differ.) */
export function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
