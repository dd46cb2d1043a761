/**
 * Order of text by code point, as COLLATE "C" has it. UTF-8 bytes sort that way; UTF-16 units, which `<`
 * compares, do not where a surrogate pair meets U+E000 to U+FFFF.
 */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}

/** Oldest first, then id; records without a creation time are last. Times are compared as instants. */
export function byCreation(
  a: { id: string; created_at?: string | null },
  b: { id: string; created_at?: string | null },
): number {
  const left = a.created_at ? Date.parse(a.created_at) : Number.POSITIVE_INFINITY;
  const right = b.created_at ? Date.parse(b.created_at) : Number.POSITIVE_INFINITY;
  if (left !== right) return left < right ? -1 : 1;
  return byCodePoint(a.id, b.id);
}
