/** Words whose spelling differs from that in a tool's name. */
const SPELLINGS: Readonly<Record<string, string>> = { urls: 'URLs', youtube: 'YouTube' };

/** The title of a tool: `list_urls` gives `List URLs`. */
export function titleOf(name: string): string {
  const words = name.split('_').map((word) => SPELLINGS[word] ?? word);
  return words.join(' ').replace(/^./, (first) => first.toUpperCase());
}
