/** Remembers what a function of one text returns: a read applies it to the texts of every run many times. */
export function memoised<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (!known.has(text)) known.set(text, of(text));
    return known.get(text)!;
  };
}
