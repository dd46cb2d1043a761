/** What of its reads a page shows, and in which order, from its query. */

import type { MeasureName } from '../../../contract/measures.js';
import { measureNames } from '../../../contract/measures.js';
import type { Params } from '../../../contract/params.js';
import { answerFilters, type Tone } from '../../../contract/reads/answers.js';
import type { cutNames } from '../../../contract/reads/why.js';
import { parseParams, type RawParams } from '../../answers/parameters.js';
import type { Query } from './paths.js';

/** What the table of changes is cut by. */
export const VIEW_CUTS = [
  'engine',
  'topic',
  'region',
  'prompt',
] as const satisfies readonly (typeof cutNames)[number][];
export type ViewCut = (typeof VIEW_CUTS)[number];

const text = (description: string) => ({ kind: 'text', description }) as const;

const viewParams = {
  metric: { kind: 'choice', values: measureNames, description: 'The metric of the line and of the changes' },
  by: { kind: 'choice', values: VIEW_CUTS, description: 'What the changes are listed by' },
  sort: text('The column by which a list is sorted'),
  find: text('A part of a name'),
  url: text('The address of a cited page'),
  cursor: text('Where a list goes on'),
  ...answerFilters,
} as const satisfies Params;

export interface View {
  readonly metric?: MeasureName | undefined;
  readonly by?: ViewCut | undefined;
  readonly sort?: string | undefined;
  readonly find?: string | undefined;
  readonly url?: string | undefined;
  readonly cursor?: string | undefined;
  readonly cites?: string | undefined;
  readonly names?: string | undefined;
  readonly without?: string | undefined;
  readonly tone?: Tone | undefined;
}

/** @throws 400 as the API does. An empty value counts as none. */
export function viewOf(query: RawParams): View {
  const given = Object.entries(query).filter(([name, value]) => name in viewParams && value !== '');
  const parsed = parseParams(viewParams, Object.fromEntries(given)) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
}

/** The parameters of links that keep it. A cursor goes on only in its own list. */
export const queryOfView = ({ cursor: _, ...view }: View): Query => ({ ...view });
