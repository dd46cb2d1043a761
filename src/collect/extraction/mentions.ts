/** Decides which names an answer mentions. The text decides: what a model claims counts only if it occurs. */
import { foldName } from '../../server/dataset/entity-resolution.js';
import type { RecordOf } from '../../server/dataset/records/index.js';
import { AnswerText } from './occurrence.js';
import type { ClaimedName } from './reply.js';
import type { Place } from './trie.js';

export type Mention = RecordOf<'run'>['mentions'][number];

/** The brand or a competitor: its name and its aliases. */
export type TrackedNames = readonly string[];

export interface Mentions {
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

/** Of names that are equal but for case and white space, the first one. */
function firstOfEach(named: readonly Found[]): Found[] {
  const first = new Map<string, Found>();
  for (const each of [...named].sort(byPlace)) {
    const key = foldName(each.name);
    if (!first.has(key)) first.set(key, each);
  }
  return [...first.values()];
}

/** By first occurrence. Of names that begin at one place the shorter one is first: a company before its product. */
const byPlace = (a: Found, b: Found): number => a.place.start - b.place.start || a.place.end - b.place.end;

const inOrder = (found: readonly Found[]): Mention[] =>
  [...found].sort(byPlace).map(({ name, tone, evidence }, at) => ({
    name,
    order: at + 1,
    ...(tone !== null && { sentiment: tone }),
    ...(tone !== null && evidence !== null && { evidence }),
  }));
