/** What a field of the API means: the source of docs/metrics.md, of /docs/metrics and of `svc explain`. */

export interface Definition {
  /** The name of the field, or READ.FIELD if a field of this name means something else in that read. */
  readonly name: string;
  /** The fields that it defines, by the end of their paths; absent: all with this name. The longest matching end counts. */
  readonly fields?: readonly string[];
  /** What it tells, in a sentence or two for people who do not know the formula; “you” is the brand or competitor of the row. */
  readonly what: string;
  readonly formula: string;
  readonly unit: string;
  /** The least and the largest value, where the contract does not state it. */
  readonly scale?: string;
  readonly rounding: string;
  /** What the formula divides by; null: it divides by nothing. */
  readonly denominator: string | null;
  /** The value when nothing was measured, and why. */
  readonly empty: string;
  /** How its 95 % interval is computed; null: it has none. */
  readonly interval: string | null;
}

/** Definitions about one subject. */
export interface DefinitionGroup {
  /** Its anchor, and the name of its table in docs/metrics.md. */
  readonly id: string;
  readonly title: string;
  readonly definitions: readonly Definition[];
}

export const UNROUNDED = 'none';
export const AS_METRIC = 'that of the metric';
const WHOLE = 'whole number';

type Words = Pick<Definition, 'what' | 'empty'>;

/** A number that is counted: it divides by nothing, and has no interval. */
export const counted = (
  name: string,
  unit: string,
  what: string,
  formula: string,
  empty: string,
  fields?: readonly string[],
): Definition => ({
  ...{ name, what, formula, unit, empty },
  ...(fields && { fields }),
  ...{ rounding: WHOLE, denominator: null, interval: null },
});

/** A number that the server repeats as somebody stated it. */
export const stated = (
  name: string,
  unit: string,
  by: string,
  { what, empty }: Words,
  { formula = `as ${by} states it`, scale = '0 and up', rounding = UNROUNDED } = {},
): Definition => ({
  ...{ name, what, formula, unit, scale, rounding, empty },
  ...{ denominator: null, interval: null },
});

/** A mean or a ratio that is not rounded and has no interval. */
export const ratio = (
  name: string,
  unit: string,
  [numerator, denominator]: readonly [string, string],
  { what, empty }: Words,
): Definition => ({
  ...{ name, what, formula: `${numerator} / ${denominator}`, unit, empty },
  // A fraction has its scale in the contract; the others are means of ranks.
  ...(unit !== 'fraction_0_1' && { scale: '1 and up' }),
  ...{ rounding: UNROUNDED, denominator, interval: null },
});

/** A field that is not a number. */
export const judged = (
  name: string,
  { what, empty }: Words,
  formula: string,
  scale = 'true or false',
): Definition => ({
  ...{ name, what, formula, unit: UNROUNDED, scale, empty },
  ...{ rounding: UNROUNDED, denominator: null, interval: null },
});
