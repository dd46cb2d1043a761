/** Reads a list of domains or names from text with white space between the entries. */
export function domainList(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
