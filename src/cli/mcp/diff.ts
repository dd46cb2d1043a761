/** Keys that somebody wrote into a configuration are not shown. */
const masked = (line: string): string => line.replace(/svc_\w{4,}/g, 'svc_…');

/**
 * The lines that differ, with `-` and `+`, from the first to the last one that changed. Lines around them are not shown: they
 * may hold secrets of other servers.
 */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) =>
    text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/),
  );
  let start = 0;
  while (start < Math.min(old!.length, now!.length) && old![start] === now![start]) start++;
  let end = 0;
  const shorter = Math.min(old!.length, now!.length) - start;
  while (end < shorter && old!.at(-1 - end) === now!.at(-1 - end)) end++;
  const removed = old!.slice(start, old!.length - end);
  const added = now!.slice(start, now!.length - end);
  if (removed.length + added.length === 0) return [];
  const place = `@@ -${start + 1},${removed.length} +${start + 1},${added.length} @@`;
  return [place, ...removed.map((line) => `-${masked(line)}`), ...added.map((line) => `+${masked(line)}`)];
}
