/** How much a backtracking matcher works, in steps: the same on every machine. */
import type { Pattern } from './syntax.js';

/** More steps than linear work on a text of some hundred characters takes. */
const MOST = 300_000;

class TooMany extends Error {}

type Next = (at: number) => boolean;

class Matcher {
  steps = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  match(pattern: Pattern, at: number, behind: boolean, next: Next): boolean {
    if (++this.steps > MOST) throw new TooMany();
    switch (pattern.kind) {
      case 'set': {
        const place = behind ? at - 1 : at;
        const character = this.#text[place];
        return character !== undefined && pattern.holds(character) && next(behind ? place : place + 1);
      }
      case 'assertion':
        return pattern.holds(this.#text, at) && next(at);
      case 'choice':
        return pattern.parts.some((part) => this.match(part, at, behind, next));
      case 'sequence': {
        const parts = behind ? [...pattern.parts].reverse() : pattern.parts;
        const from = (i: number, place: number): boolean =>
          i === parts.length
            ? next(place)
            : this.match(parts[i]!, place, behind, (then) => from(i + 1, then));
        return from(0, at);
      }
      case 'look': {
        const found = this.match(pattern.part, at, pattern.behind, () => true);
        return found !== pattern.negated && next(at);
      }
      case 'repeat':
        return this.#repeat(pattern, at, behind, 0, next);
    }
  }

  #repeat(
    pattern: Pattern & { kind: 'repeat' },
    at: number,
    behind: boolean,
    count: number,
    next: Next,
  ): boolean {
    const more = () =>
      count < pattern.max &&
      this.match(
        pattern.part,
        at,
        behind,
        (then) =>
          (then !== at || count < pattern.min) && this.#repeat(pattern, then, behind, count + 1, next),
      );
    if (count < pattern.min) return more();
    return pattern.lazy ? next(at) || more() : more() || next(at);
  }
}

/** Steps of the search for the first match, with the flag `g` for every match. Infinity where there are too many to count. */
export function stepsOf(pattern: Pattern, flags: string, text: string): number {
  const matcher = new Matcher(text);
  let end = -1;
  try {
    for (let start = 0; start <= text.length; start++) {
      const found = matcher.match(pattern, start, false, (at) => {
        end = at;
        return true;
      });
      if (flags.includes('y') || (found && !flags.includes('g'))) break;
      if (found && end > start) start = end - 1;
    }
  } catch (error) {
    if (error instanceof TooMany) return Number.POSITIVE_INFINITY;
    throw error;
  }
  return matcher.steps;
}
