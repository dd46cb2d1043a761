/** Words that are written otherwise than in a tool's name. */
const SPELLINGS: Readonly<Record<string, string>> = { urls: 'URLs', youtube: 'YouTube' };

/** A tool's name as people read it: `list_urls` is `List URLs`. */
export function titleOf(name: string): string {
  const words = name.split('_').map((word) => SPELLINGS[word] ?? word);
  return words.join(' ').replace(/^./, (first) => first.toUpperCase());
}
