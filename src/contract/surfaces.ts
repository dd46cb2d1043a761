/** How an answer was collected. The API of an engine is not the product that people see, so answers of each are distinguished. */
import { count, list, nullable, oneOfOrNewer, part } from './schema.js';

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
