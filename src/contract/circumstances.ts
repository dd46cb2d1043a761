/** What else changed between two windows: kinds and sentences. Each states a fact, and no cause. */
import { engineLabel, valueLabel } from './glossary.js';
import { type Infer, list, nullable, oneOfOrNewer, part, text } from './schema.js';

const percent = (share: number): string => `${Math.round(100 * share)} %`;
const answers = (count: number): string => `${count} answer${count === 1 ? '' : 's'}`;

/** The kinds with their sentences. The first argument of each is the subject, empty if there is none. */
export const circumstanceTexts = {
  mark: (text: string, day: string) => `Marked on ${day}: ${text}`,
  model: (model: string, engine: string, since: string) =>
    `${engineLabel(engine)} answers with ${model} since ${since}.`,
  surface: (surface: string, now: number, before: number) =>
    `${percent(now)} of the answers are of the surface ${valueLabel('surface', surface)}, ${percent(before)} before.`,
  new_search: (search: string, now: number) => `A new search is behind ${answers(now)}: ${search}`,
  ended_search: (search: string, before: number) =>
    `A search behind ${answers(before)} before is behind none now: ${search}`,
  brands_named: (_: '', now: number, before: number) =>
    `An answer names ${now > before ? 'more' : 'fewer'} of the tracked brands: ${now.toFixed(1)} on average, ${before.toFixed(1)} before.`,
  crawler_silent: (_: string, label: string, before: number) =>
    `${label} requested ${before} pages before and none now.`,
  crawler_refused: (
    _: string,
    label: string,
    now: readonly [refused: number, all: number],
    before: readonly [refused: number, all: number],
  ) => `The site refused ${now[0]} of ${now[1]} requests of ${label}, ${before[0]} of ${before[1]} before.`,
} as const satisfies Record<string, (subject: never, ...values: never[]) => string>;

export type CircumstanceKind = keyof typeof circumstanceTexts;

export const circumstance = part('What else changed, which is not a cause by itself', {
  kind: oneOfOrNewer(Object.keys(circumstanceTexts) as CircumstanceKind[], 'What it is about'),
  text: text('One sentence'),
  subject: text('The mark, model, surface, search or crawler; empty for brands_named'),
  engine: nullable(text('Engine id; null: not of one engine')),
});
export type Circumstance = Infer<typeof circumstance>;

export const circumstances = list(circumstance, 'What else changed in the window; never a cause by itself');

type ValuesOf<K extends CircumstanceKind> = Parameters<(typeof circumstanceTexts)[K]>;

/** A circumstance in words. */
export function circumstanceOf<K extends CircumstanceKind>(
  kind: K,
  engine: string | null,
  ...values: ValuesOf<K>
): Circumstance {
  const write = circumstanceTexts[kind] as (...values: unknown[]) => string;
  return { kind, text: write(...values), subject: values[0], engine };
}
