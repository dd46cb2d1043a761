/** Which stored row an entry of a catalog is, and the id of a new one. Ids derive from texts, so that nobody has to invent them. */
import { createHash } from 'node:crypto';
import { foldName } from './entity-resolution.js';

/** The form in which texts are compared: as names are, and without punctuation at the ends. */
export const foldText = (text: string): string =>
  foldName(text).replace(/^[¿¡\s]+|[?!.？！。؟\s]+$/gu, '') || foldName(text);

/** A longer text is cut, and has a hash. */
const MAX_SLUG = 48;
const HASH_DIGITS = 8;

/**
 * The id of a text: its letters and digits with hyphens between the words. What is lost by that is replaced by a hash, so that
 * two texts have two ids.
 */
export function derivedId(text: string): string {
  const folded = foldText(text);
  const slug = folded
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (slug === folded.replaceAll(' ', '-') && slug.length <= MAX_SLUG) return slug;
  const hash = createHash('sha256').update(folded).digest('hex').slice(0, HASH_DIGITS);
  const room = MAX_SLUG - HASH_DIGITS - 1;
  const start = slug.length <= room ? slug : slug.slice(0, room).replace(/-+[^-]*$/, '');
  return start === '' ? hash : `${start}-${hash}`;
}

/** What a file says of a competitor, a prompt or a topic. */
export interface Entry {
  readonly text: string;
  /** Its earlier texts, the oldest first. */
  readonly was: readonly string[];
}

export interface StoredEntry {
  readonly id: string;
  readonly text: string;
  readonly isRetired: boolean;
}

/**
 * The id of each entry. A row is found by its text, then by an earlier text; one that is tracked comes before one that was
 * retired. After that an entry whose derived id a row has without being that of another entry is this row under its first
 * text again. Every other entry is new.
 */
export function idsOf(entries: readonly Entry[], stored: readonly StoredEntry[]): string[] {
  const ids = new Map<Entry, string>();
  const free = new Map(stored.map((row) => [row.id, row]));
  const claim = (entry: Entry, row: StoredEntry | undefined) => {
    if (row === undefined || ids.has(entry) || !free.has(row.id)) return;
    ids.set(entry, row.id);
    free.delete(row.id);
  };
  const earlier = ({ was }: Entry) => [...was].reverse();
  for (const isRetired of [false, true]) {
    for (const textsOf of [({ text }: Entry) => [text], earlier]) {
      const rows = new Map<string, StoredEntry>();
      for (const row of free.values()) {
        const text = foldText(row.text);
        if (row.isRetired === isRetired && !rows.has(text)) rows.set(text, row);
      }
      for (const entry of entries) {
        const text = textsOf(entry)
          .map(foldText)
          .find((each) => rows.has(each));
        if (text !== undefined) claim(entry, rows.get(text));
      }
    }
  }
  const firstId = ({ text, was }: Entry) => derivedId(was[0] ?? text);
  for (const entry of entries) claim(entry, free.get(firstId(entry)));
  const taken = new Set([...stored.map(({ id }) => id), ...ids.values()]);
  return entries.map((entry) => {
    const known = ids.get(entry);
    if (known !== undefined) return known;
    const id = unused(firstId(entry), taken);
    taken.add(id);
    return id;
  });
}

/** The id, with a number behind it if it is taken. */
export function unused(id: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const each = number === 1 ? id : `${id}-${number}`;
    if (!taken.has(each)) return each;
  }
}
