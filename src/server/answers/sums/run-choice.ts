/** Which stored runs a statement reads, for choices that the roll-ups do not distinguish, and what is in a run. */
import type { WindowBindings } from '../../base/statement.js';

/** A choice among the runs of a brand; null: of every prompt, in every region, on every surface and with none stated. */
export interface ChosenRuns {
  readonly promptKeys: readonly number[] | null;
  readonly regions: readonly string[] | null;
  readonly surfaces: readonly string[] | null;
}

export const EVERY_RUN: ChosenRuns = { promptKeys: null, regions: null, surfaces: null };

/** Whether no more than prompts are chosen. Several roll-ups distinguish prompts only. */
export const isOfPrompts = (runs: ChosenRuns | null): boolean => !runs?.regions && !runs?.surfaces;

export interface ChosenBindings extends WindowBindings, ChosenRuns {}

export const ON_ENGINES = 'engine = any(:engines)';
export const IN_PROMPTS =
  '(cast(:promptKeys as integer[]) is null or prompt_key = any(cast(:promptKeys as integer[])))';
export const IN_REGIONS = '(cast(:regions as text[]) is null or region = any(cast(:regions as text[])))';
export const ON_SURFACES = '(cast(:surfaces as text[]) is null or surface = any(cast(:surfaces as text[])))';

/** The table and the condition of the chosen runs between two days. @param first, last Names of bindings. */
export const chosenRuns = (first = ':start', last = ':end'): string =>
  `runs where brand_key = :brandKey and day between ${first} and ${last} and ${ON_ENGINES}
     and ${IN_PROMPTS}
     and ${IN_REGIONS}
     and ${ON_SURFACES}`;

// What the arrays of runs mean, in SQL: the same for roll-ups and for reads of chosen runs.

/** The rank discount 1 / log2(1 + order) in units of 10⁻⁹, so that sums are exact whatever their order. */
export const POSITION_WEIGHT = 'round(1e9::float8 * ln(2::float8) / ln(1::float8 + position))::bigint';

/** One row per citation. @param columns Further columns of the runs. */
export const citationsOf = (runs: string, columns: string): string => `
  select ${columns}, unnest(c_url) as url_key from ${runs} offset 0`;

/** One row per mention. @param columns Further columns of the runs. */
export const mentionsOf = (runs: string, columns: string): string => `
  select ${columns}, unnest(m_name) as name_key, unnest(m_order) as position, unnest(m_tone) as tone,
    generate_subscripts(m_name, 1) as place
  from ${runs} offset 0`;

/**
 * The tone of the first scored mention by order (by place in the answer where orders are equal). Order, place and tone are
 * packed into one number so that one minimum finds that tone.
 */
export const FIRST_TONE =
  'min((m.position * 1048576::bigint + m.place) * 4 + m.tone + 1) filter (where m.tone is not null) % 4 - 1';

/** The first mention of an entity in a run: the smallest order, and the tone by which it is counted. */
export const FIRST_MENTION = `min(m.position) as position,
    ${FIRST_TONE} as tone`;

export const BRAND_NAMES =
  'array(select name_key from mention_names where brand_key = :brandKey and entity = 0)';

export const MENTIONS_BRAND = `m_name && ${BRAND_NAMES}`;

export const RIVAL_NAMES =
  'array(select name_key from mention_names where brand_key = :brandKey and entity > 0)';
