/** What a field of the API means. A definition stands at its field; fields that share one mean the same. */

/** The subjects of definitions, in the order of documents. */
export const definitionGroups = [
  {
    id: 'scores',
    title: 'Scores and shares',
    first: ['visibility', 'presence_rate', 'share_of_voice_fraction'],
  },
  { id: 'uncertainty', title: 'Intervals and changes', first: ['interval'] },
  { id: 'why', title: 'Why a metric moved' },
  { id: 'moves', title: 'Moves' },
  {
    id: 'effects',
    title: 'Whether it helped',
    first: ['effect.effect', 'effect.interval', 'effect.verdict'],
  },
  {
    id: 'sample',
    title: 'How much was measured',
    first: [
      'run_count',
      'surfaces.run_count',
      'shown_rate',
      'asked_count',
      'previous_run_count',
      'low_confidence',
      'has_prior_window',
    ],
  },
  { id: 'history', title: 'History' },
  { id: 'tone', title: 'Tone' },
  {
    id: 'citations',
    title: 'Citations',
    first: [
      ...['citations', 'prior_citations', 'answers', 'citations_total', 'answers_total', 'brand_present'],
      'youtube-citations.avg_position',
    ],
  },
  { id: 'coverage', title: 'Prompts and searches' },
  {
    id: 'shopping',
    title: 'Shopping',
    first: [
      ...['carousels', 'products', 'appearances', 'carousels_featuring', 'win_rate', 'visibility_share'],
      ...['shopping.avg_position', 'own_appearances', 'own_avg_position', 'own_carousel_share'],
      ...['own_win_share', 'days_observed'],
    ],
  },
  { id: 'ads', title: 'Ads' },
  { id: 'gaps', title: 'Gaps' },
  { id: 'needs', title: 'What needs you' },
  { id: 'fact-check', title: 'Fact check' },
  { id: 'site', title: 'The brand’s site' },
] as const satisfies readonly DefinitionGroup[];

interface DefinitionGroup {
  /** The anchor of the group, and the name of its table in docs/metrics.md. */
  readonly id: string;
  readonly title: string;
  /** The definitions that come first, by name; the others follow in the order of the contract. */
  readonly first?: readonly string[];
}

export type GroupId = (typeof definitionGroups)[number]['id'];

export interface Definition {
  /** If omitted, that of the first read that has the field. */
  readonly group?: GroupId;
  /** If omitted, the name of the first field. READ.FIELD where a field of another read has that name too. */
  readonly name?: string;
  /** As `head` of its schema. */
  readonly head?: string;
  /** What the field tells, for people who do not know the formula; “you” is the brand or competitor of the row. */
  readonly what: string;
  readonly formula: string;
  /** What the formula divides by; if omitted, by nothing. */
  readonly denominator?: string;
  /** If omitted, none: the field is not a number. */
  readonly unit?: string;
  /** The least and the largest value, if the schema of the field does not state them. */
  readonly scale?: string;
  /** If omitted, whole numbers for a count, else none. */
  readonly rounding?: string;
  /** The value if nothing was measured, and why. */
  readonly empty: string;
  /** How the 95 % interval is computed; if omitted, there is none. */
  readonly interval?: string;
}

/** A unit, scale or rounding that no value has. */
export const NONE = 'none';
export const AS_METRIC = 'that of the metric';
