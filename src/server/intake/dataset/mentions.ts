/** Decides which names an answer mentions. The text decides: what a model claims counts only if it occurs. */
import type { Tone } from '../../../contract/reads/answers.js';
import { foldName } from './entity-resolution.js';
import type { RecordOf } from './records/index.js';

/** What the model claims to have found. */
export interface ClaimedName {
  readonly name: string;
  readonly tone: Tone | null;
  readonly evidence: string | null;
}

export type Mention = RecordOf<'run'>['mentions'][number];

/** The brand or a competitor: its name and its aliases. */
export type TrackedNames = readonly string[];

interface Mentions {
  readonly mentions: Mention[];
  /** Claimed names that do not occur in the answer. */
  readonly inventedNames: number;
  /** Claimed spans that do not occur in the answer; their tones are dropped too. */
  readonly inventedSpans: number;
  /** Tracked names that only the search in the text found. */
  readonly addedNames: number;
}

interface Found {
  readonly name: string;
  readonly place: Place;
  readonly tone: ClaimedName['tone'];
  readonly evidence: string | null;
}

/** What a model lists, of a tracked entity or of none. */
interface Named extends Found {
  readonly entity: number | undefined;
}

/**
 * @param claimed What a model lists; null: no model was asked.
 * @param tracked Each tracked entity is mentioned at most once, at the first place of any of its names.
 */
export function mentionsOf(
  answer: string,
  claimed: readonly ClaimedName[] | null,
  tracked: readonly TrackedNames[],
): Mentions {
  const text = new AnswerText(answer);
  const entityOf = entities(tracked);
  const claims = claimed ?? [];
  const places = text.find(claims.map(({ name }) => name));
  const occurs = text.has(claims.map(({ evidence }) => evidence ?? ''));
  const named = claims.flatMap((claim, at): Named[] => {
    const place = places[at];
    if (!place) return [];
    const name = claim.name.trim();
    return [{ ...confirmed(claim, occurs[at]!), name, place, entity: entityOf(name) }];
  });
  const ownOf = new Map<number | undefined, Named[]>();
  for (const each of named) {
    const own = ownOf.get(each.entity);
    if (own) own.push(each);
    else ownOf.set(each.entity, [each]);
  }
  const searched = text.findTracked(tracked.flat());
  let first = 0;
  const found = tracked.flatMap((names, entity) => {
    const own = names.map((name, at) => ({ name, place: searched[first + at] ?? null }));
    first += names.length;
    return foundTracked(own, ownOf.get(entity) ?? []);
  });
  return {
    mentions: inOrder([...found, ...firstOfEach(ownOf.get(undefined) ?? [])]),
    inventedNames: claims.length - named.length,
    inventedSpans: claims.filter(
      ({ evidence }, at) => evidence !== null && evidence.trim() !== '' && !occurs[at],
    ).length,
    addedNames: found.filter(({ name }) => !ownOf.has(entityOf(name))).length,
  };
}

/** A mention as it is stored. */
export interface StoredMention {
  readonly name: string;
  readonly order: number;
  readonly tone: number | null;
  readonly evidence: string | null;
}

/**
 * The mentions of an answer in which only tracked names were looked for, as if these names had been tracked then. Stored
 * mentions stay, with their tones: those of no tracked entity are looked for as names of their own, and what the text does not
 * have stands behind what it has.
 */
export function mentionsWith(
  answer: string,
  stored: readonly StoredMention[],
  tracked: readonly TrackedNames[],
): StoredMention[] {
  const trackedOf = entities(tracked);
  const others = new Map(
    stored.flatMap(({ name }) => (trackedOf(name) === undefined ? [[foldName(name), [name]] as const] : [])),
  );
  const all = [...tracked, ...others.values()];
  const entityOf = entities(all);
  const found = mentionsOf(answer, null, all).mentions.map(({ name, order }): StoredMention => {
    const own = stored.filter((each) => entityOf(each.name) === entityOf(name));
    const { tone = null, evidence = null } = own.find((each) => each.tone !== null) ?? {};
    return { name, order, tone, evidence };
  });
  const isFound = new Set(found.map(({ name }) => entityOf(name)));
  const left = stored.filter(({ name }) => !isFound.has(entityOf(name)));
  return [...found, ...left.map((each, at) => ({ ...each, order: found.length + at + 1 }))];
}

/** The tone and the span, if the span occurs. A tone whose proof is made up is not believed. */
function confirmed({ tone, evidence }: ClaimedName, occurs: boolean): Pick<Found, 'tone' | 'evidence'> {
  if (tone === null) return { tone: null, evidence: null };
  if (evidence === null || evidence.trim() === '') return { tone, evidence: null };
  return occurs ? { tone, evidence: evidence.trim() } : { tone: null, evidence: null };
}

/** Finds the entity of a name as the import does: case and white space do not matter. */
function entities(tracked: readonly TrackedNames[]): (name: string) => number | undefined {
  const entity = new Map(tracked.flatMap((names, at) => names.map((name) => [foldName(name), at] as const)));
  return (name) => entity.get(foldName(name));
}

/**
 * The mention of a tracked entity: the first of its names in the text, with the first tone that a model gave it.
 * @param searched Its names, with their places in the text.
 * @param named What the model lists of it.
 */
function foundTracked(
  searched: readonly { readonly name: string; readonly place: Place | null }[],
  named: readonly Found[],
): Found[] {
  const own = [...named].sort(byPlace);
  const added = searched.flatMap(({ name, place }) =>
    place ? [{ name, place, tone: null, evidence: null }] : [],
  );
  const [first] = [...own, ...added].sort(byPlace);
  if (!first) return [];
  const scored = own.find(({ tone }) => tone !== null);
  return [{ ...first, tone: scored?.tone ?? null, evidence: scored?.evidence ?? null }];
}

/** The first of the names that differ only in case and white space. */
function firstOfEach(named: readonly Found[]): Found[] {
  const first = new Map<string, Found>();
  for (const each of [...named].sort(byPlace)) {
    const key = foldName(each.name);
    if (!first.has(key)) first.set(key, each);
  }
  return [...first.values()];
}

/** Sorts names by their first occurrence, and at one place the shorter first: a company before its product. */
const byPlace = (a: Found, b: Found): number => a.place.start - b.place.start || a.place.end - b.place.end;

const inOrder = (found: readonly Found[]): Mention[] =>
  [...found].sort(byPlace).map(({ name, tone, evidence }, at) => ({
    name,
    order: at + 1,
    ...(tone !== null && { sentiment: tone }),
    ...(tone !== null && evidence !== null && { evidence }),
  }));

// Finds names and spans in the text of an answer.

/** More marks on one letter than any script has. To order them takes time that grows with the square of their number. */
const MANY_MARKS = /\p{M}{31}/u;

/** The text in one form of Unicode, with white space folded. */
export const folded = (text: string): string =>
  (MANY_MARKS.test(text) ? text : text.normalize('NFC')).replace(/\s+/gu, ' ').trim();

const WORD = /[\p{L}\p{N}\p{M}_]/u;
const MARK = /\p{M}/u;
/** Scripts that put no space between words, or attach particles to them. */
const WITHOUT_BREAKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** After a word these are part of its name: C++ is not C. */
const BELONGS_TO_WORD = /[+#]/;

/** Whether a word ends between two neighbouring characters. */
const isBoundary = (inner: string, outer: string | undefined): boolean =>
  outer === undefined ||
  !is(WORD, outer) ||
  !is(WORD, inner) ||
  (is(WITHOUT_BREAKS, inner) && !is(MARK, outer)) ||
  is(WITHOUT_BREAKS, outer);

const KNOWN = new Map<RegExp, Map<string, boolean>>(
  [WORD, MARK, WITHOUT_BREAKS].map((kind) => [kind, new Map()]),
);

/** Whether the character is of the kind. Remembered, because a text has few different characters. */
function is(kind: RegExp, character: string): boolean {
  const known = KNOWN.get(kind)!;
  const result = known.get(character) ?? kind.test(character);
  known.set(character, result);
  return result;
}

/** A longer claimed name is not found: no product has one. */
const MAX_CLAIM = 200;

/** An answer, prepared for looking up many names. */
export class AnswerText {
  readonly #text: string;
  readonly #lower: string;
  /** The lower-case text has other lengths for a few characters; then places are those of the lower-case text. */
  readonly #isCaseless: boolean;
  /** Characters looked at so far. */
  steps = 0;

  constructor(answer: string) {
    this.#text = folded(answer);
    this.#lower = this.#text.toLowerCase();
    this.#isCaseless = this.#text === this.#lower;
  }

  /** For each span whether it occurs, white space folded. */
  has(spans: readonly string[]): boolean[] {
    const trie = new Trie(spans.map(folded));
    const found = trie.occurring(this.#text);
    this.steps += trie.steps;
    return spans.map((_, at) => found.has(at));
  }

  /** The first occurrence of each name as whole words, in any case; null: none. */
  find(names: readonly string[]): (Place | null)[] {
    const wanted = names.map(folded).map((name) => (name.length > MAX_CLAIM ? '' : name));
    return this.#first(wanted, () => true);
  }

  /**
   * As `find`, for names that the extraction model did not list: a name with capitals is not found in words without
   * capitals, because many names are ordinary words. A text without any capitals is searched in any case.
   */
  findTracked(names: readonly string[]): (Place | null)[] {
    const wanted = names.map(folded);
    const isSameLength = this.#text.length === this.#lower.length;
    const needsCapital = wanted.map(
      (name) => !this.#isCaseless && isSameLength && name !== name.toLowerCase(),
    );
    return this.#first(wanted, (index, { start, end }) => {
      if (!needsCapital[index]) return true;
      const written = this.#text.slice(start, end);
      return written !== written.toLowerCase();
    });
  }

  #first(names: readonly string[], accepts: (index: number, place: Place) => boolean): (Place | null)[] {
    const trie = new Trie(names.map((name) => name.toLowerCase()));
    const text = this.#lower;
    const places = trie.firstPlaces(text, {
      isStart: (at) => isBoundary(characterAt(text, at)!, characterBefore(text, at)),
      isEnd: (at) =>
        !BELONGS_TO_WORD.test(characterAt(text, at) ?? '') &&
        isBoundary(characterBefore(text, at)!, characterAt(text, at)),
      accepts,
    });
    this.steps += trie.steps;
    return names.map((_, at) => places.get(at) ?? null);
  }
}

const characterAt = (text: string, at: number): string | undefined =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : undefined;

function characterBefore(text: string, at: number): string | undefined {
  if (at <= 0) return undefined;
  const isPair = /[\udc00-\udfff]/.test(text[at - 1]!) && at > 1;
  return isPair ? text.slice(at - 2, at) : text[at - 1];
}

interface Node {
  readonly next: Map<number, Node>;
  /** The texts that end here, by their number. */
  readonly ends: number[];
  /** The node of the longest other text that ends in the same way. */
  suffix: Node;
  /** The nearest of these suffixes at which a text ends. */
  shorter: Node | null;
  isFound: boolean;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** What a text must have around it. */
interface Boundaries {
  isStart(at: number): boolean;
  isEnd(at: number): boolean;
  /** Whether this place of the text with this number counts. */
  accepts(index: number, place: Place): boolean;
}

/** Finds many texts in one pass over another, in steps that do not depend on how many they are. */
class Trie {
  readonly #root: Node;
  readonly #count: number;
  /** Characters looked at. */
  steps = 0;

  /** @param texts Empty ones never occur. */
  constructor(texts: readonly string[]) {
    this.#root = newNode();
    this.#count = texts.length;
    for (const [index, text] of texts.entries()) if (text !== '') this.#insert(text, index);
  }

  #insert(text: string, index: number): void {
    let node = this.#root;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const next = node.next.get(code) ?? newNode(this.#root);
      node.next.set(code, next);
      node = next;
    }
    node.ends.push(index);
  }

  /**
   * The first place of each text within these boundaries, by the number of the text. From each start it looks at no more
   * characters than the longest text has.
   */
  firstPlaces(within: string, { isStart, isEnd, accepts }: Boundaries): Map<number, Place> {
    const found = new Map<number, Place>();
    for (let start = 0; start < within.length && found.size < this.#count; start++) {
      this.steps++;
      let node = this.#root.next.get(within.charCodeAt(start));
      if (!node || !isStart(start)) continue;
      for (let end = start + 1; node; end++, this.steps++) {
        if (node.ends.length > 0 && isEnd(end)) {
          const place = { start, end };
          const rest = node.ends.filter((index) => !accepts(index, place));
          for (const index of node.ends) if (!rest.includes(index)) found.set(index, place);
          node.ends.splice(0, node.ends.length, ...rest);
        }
        node = end < within.length ? node.next.get(within.charCodeAt(end)) : undefined;
      }
    }
    return found;
  }

  /** The numbers of the texts that occur anywhere: the algorithm of Aho and Corasick. */
  occurring(within: string): Set<number> {
    this.#link();
    const found = new Set<number>();
    let node = this.#root;
    for (let at = 0; at < within.length; at++) {
      const code = within.charCodeAt(at);
      for (; node !== this.#root && !node.next.has(code); node = node.suffix) this.steps++;
      node = node.next.get(code) ?? this.#root;
      this.steps++;
      // The shorter ones of a text that was found before were found with it.
      for (let each: Node | null = node; each && !each.isFound; each = each.shorter) {
        each.isFound = true;
        for (const index of each.ends) found.add(index);
        this.steps++;
      }
    }
    return found;
  }

  /** Links each node to its suffixes, shorter texts first. */
  #link(): void {
    const queue = [...this.#root.next.values()];
    for (const node of queue) {
      node.shorter = node.suffix.ends.length > 0 ? node.suffix : node.suffix.shorter;
      for (const [code, next] of node.next) {
        let suffix = node.suffix;
        while (suffix !== this.#root && !suffix.next.has(code)) suffix = suffix.suffix;
        next.suffix = suffix.next.get(code) ?? this.#root;
        queue.push(next);
      }
    }
  }
}

/** @param root If omitted, the node is the root. */
function newNode(root?: Node): Node {
  const node: Omit<Node, 'suffix'> & { suffix?: Node } = {
    next: new Map(),
    ends: [],
    shorter: null,
    isFound: false,
  };
  node.suffix = root ?? (node as Node);
  return node as Node;
}
