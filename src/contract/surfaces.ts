/** How an answer was collected. The API of an engine is not the product that people see, so answers of each are distinguished. */
import type { Definition } from './definition.js';
import { interval } from './intervals.js';
import { estimators } from './measures.js';
import {
  count,
  type Fields,
  fraction,
  type Infer,
  list,
  nullable,
  object,
  oneOfOrNewer,
  pair,
  part,
  text,
} from './schema.js';

/** `api`: the vendor's API. `ui`: the product as people use it. `serp`: the result page of a search engine. */
export const surfaces = ['api', 'ui', 'serp'] as const;

export type Surface = (typeof surfaces)[number];

/** Why the response of an engine holds no answer, though it was paid. Such a response is not a run. */
export const nonAnswers = ['refused', 'filtered', 'truncated', 'malformed'] as const;
export type NonAnswer = (typeof nonAnswers)[number];

/** How a run ended: with an answer, or without one because the engine showed none, as a search without an overview. */
export const runOutcomes = ['answered', 'not_shown'] as const;

/** What a run may observe apart from its answer. Only of what it observes is an empty list an absence. */
export const observables = ['ads', 'carousels'] as const;
export type Observable = (typeof observables)[number];

export const surfaceRuns = part('How many runs were collected in one way.', {
  surface: nullable(oneOfOrNewer(surfaces, 'api, ui or serp; null where runs do not state it')),
  run_count: count('Its runs in the window', {
    group: 'sample',
    name: 'surfaces.run_count',
    what: 'The runs that were collected through one surface.',
    formula: 'runs of the window that state the surface; with surface null those that state none',
    unit: 'runs',
    empty: 'a surface without runs is not listed',
  }),
});

/** Which surfaces a window holds: a comparison of windows of different surfaces says nothing about the brand. */
export const surfacesOfWindow = list(
  surfaceRuns,
  'How the runs of the window were collected: by the API of the vendor, in the product as people use it, from a search result page',
);

// How often an engine shows an answer at all.

const ASKED = 'runs of the engines whose runs of the window state their outcome, with an answer or without';

const shownDefinition: Definition = {
  group: 'sample',
  what: 'How often engines show an answer at all, such as an overview above the results of a search. Runs without an answer count in no other number.',
  formula: 'runs with an answer / runs asked',
  denominator: ASKED,
  unit: 'fraction_0_1',
  rounding: '0.001',
  interval: `${estimators.wilson}; X of a day: runs with an answer, Y: runs asked`,
  empty: 'null: none was asked',
};

const shownRate = (when: string) =>
  nullable(fraction(`Runs with an answer of those asked, rounded to 0.001; null: ${when}`, shownDefinition));

const askedCount = count('Runs asked: with an answer, or without one because nothing was shown', {
  group: 'sample',
  what: 'The runs behind shown_rate.',
  formula: ASKED,
  unit: 'runs',
  empty: '0: none was asked',
});

const shownBound = fraction('Rounded to 0.001', interval);

const shownWith = <const F extends Fields>(more: F) =>
  nullable(
    object(
      {
        shown_rate: shownRate('none was asked'),
        interval: nullable(pair(shownBound, '95 % interval of shown_rate; null: measured on too few days')),
        asked_count: askedCount,
        ...more,
      },
      'How often the engines showed an answer when they were asked: of the engines whose runs state it; null: no run does',
    ),
  );

/** How often answers were shown in a window. */
export const shownInWindow = shownWith({});
export type ShownInWindow = Infer<typeof shownInWindow>;

/** How often answers were shown in a window and on its days. */
export const shownByDay = shownWith({
  points: list(
    part('How often an answer was shown on a day', {
      date: text('UTC day, YYYY-MM-DD'),
      shown_rate: shownRate('none was asked on the day'),
      asked_count: askedCount,
    }),
    'One per calendar day',
  ),
});
