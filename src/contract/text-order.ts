/** Order of text by code point, as the database's collation "C" has it. (`<` compares UTF-16 units, which differ.) */
export function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order = left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
    if (order !== 0) return order;
  }
  return left.length - right.length;
}
