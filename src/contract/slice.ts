/** Slices: the parameters that choose the runs which a read measures, and the fields that state the choice. */
import { engineIds } from './engines.js';
import { SEARCH_ENGINES } from './glossary.js';
import { RANGE_DAYS_MAX, WINDOW_DAYS } from './limits.js';
import { DAY_FORMS, engineFilter, lastDayFlag, type Param, type Params } from './params.js';
import { windowLength } from './read.js';
import { count, type Infer, list, nullable, object, oneOfOrNewer, text } from './schema.js';
import { surfaces } from './surfaces.js';
import { allEngines, lastDays, rangeLimit } from './wording.js';

/** The days that end today. */
export const lastDaysParam = {
  kind: 'integer',
  minimum: 1,
  maximum: RANGE_DAYS_MAX,
  component: 'WindowDays',
  description: `Days of the window, which ends today (UTC), 1 to ${RANGE_DAYS_MAX}; default: ${WINDOW_DAYS}`,
  brief: '',
} as const satisfies Param;

/** A window, both days included or as a number of days, instead of the last days. */
export const windowRange = {
  from: {
    kind: 'date',
    component: 'WindowFrom',
    description: `First day, YYYY-MM-DD, together with to; ${rangeLimit}; default: the ${lastDays}`,
    flag: `First day: ${DAY_FORMS}; ${rangeLimit}; default: the ${lastDays}`,
    brief: 'YYYY-MM-DD',
  },
  to: {
    kind: 'date',
    component: 'WindowTo',
    description: 'Last day, YYYY-MM-DD, inclusive',
    flag: lastDayFlag,
    brief: 'Last',
  },
  days: {
    ...lastDaysParam,
    component: 'WindowDaysOrRange',
    description: `${lastDaysParam.description}; instead of from and to`,
  },
} as const satisfies Params;

/** The filter of engines of a read that is blended without it. */
export const blendedOrEngines = engineFilter(SEARCH_ENGINES);
/** The filter of engines of a read that covers every engine without it. */
export const allOrEngines = engineFilter(allEngines, 'Ids, by commas; default: all');

/** The instructions for agents say what tools need of it. */
const oneOrSeveral = (what: string, runs: string) =>
  ({
    kind: 'values',
    description: `${what}, or several separated by commas; only runs ${runs}`,
    flag: `${what}, or several separated by commas; only answers ${runs}`,
    brief: '',
  }) as const satisfies Param;

/** Filters of runs: alternatives within one, all of those given together. */
export const runFilters = {
  prompt: oneOrSeveral('Prompt id', 'of these prompts, active or not'),
  topic: oneOrSeveral('Topic folder id', 'of prompts that are in one of these folders now'),
  tag: oneOrSeveral('Tag', 'of prompts that carry one of these tags now'),
  region: oneOrSeveral('Region code', 'that were collected in one of these regions'),
  surface: oneOrSeveral(`Surface: ${surfaces.join(', ')}`, 'that state one of these'),
} as const satisfies Params;
export type RunFilter = keyof typeof runFilters;
export const runFilterNames = Object.keys(runFilters) as RunFilter[];

/** The parameters of reads that are blended without an engine filter. */
export const sliceParams = { ...windowRange, engine: blendedOrEngines, ...runFilters } as const;

/** A window that is stated. */
export const windowOf = (description: string) =>
  object(
    {
      start: text('First day, YYYY-MM-DD'),
      end: text('Last day, inclusive'),
      days: count('Days from start to end', windowLength),
    },
    description,
  );
/** The window that the numbers of a read are about. @param otherwise The days without from and to. */
export const windowOr = (otherwise: string) =>
  windowOf(`The window that the answer is about: from and to, or ${otherwise}`);
export const measuredWindow = windowOr(`the ${lastDays}`);

/** The days behind the numbers, which may be fewer than those asked for. */
export const measuredDays = nullable(
  object(
    {
      first_day: text('The first day of the window with an answer behind the numbers, YYYY-MM-DD'),
      last_day: text('The last such day'),
    },
    'The days that the numbers are measured on: the window may begin before the stored answers, or end after the newest; null: no day of the window has an answer',
  ),
);
export type MeasuredDays = Infer<typeof measuredDays>;

const givenValues = (what: string) => nullable(list(text(what), 'As given, each once; null: not given'));

/** What the caller chose. */
export const slice = object(
  {
    from: nullable(text('The first day asked for; null: not given')),
    to: nullable(text('The last day asked for; null: not given')),
    engines: nullable(list(oneOfOrNewer(engineIds, 'Engine id'), 'In table order; null: not given')),
    prompts: givenValues('Prompt id'),
    topics: givenValues('Topic folder id'),
    tags: givenValues('Tag'),
    regions: givenValues('Region code'),
    surfaces: nullable(
      list(oneOfOrNewer(surfaces, 'api, ui or serp'), 'As given, each once; null: not given'),
    ),
  },
  'The runs that were chosen, on which everything is measured; null: no parameter chose any',
);
export type Slice = Infer<typeof slice>;

/** The last fields of a read that can be sliced. */
export const sliced = { window: measuredWindow, slice: nullable(slice), measured: measuredDays };
