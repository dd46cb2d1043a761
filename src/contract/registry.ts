/** Every read resource, in the contract's order. A resource that is not here does not exist. */

import type { InferParams, ParsedParams } from './params.js';
import { ads } from './reads/ads.js';
import { answers } from './reads/answers.js';
import { brands } from './reads/brands.js';
import { competitors } from './reads/competitors.js';
import { crawlers } from './reads/crawlers.js';
import { factCheck } from './reads/fact-check.js';
import { history } from './reads/history.js';
import { overview } from './reads/overview.js';
import { prompts } from './reads/prompts.js';
import { sentiment } from './reads/sentiment.js';
import { shopping } from './reads/shopping.js';
import { shoppingTrend } from './reads/shopping-trend.js';
import { sources } from './reads/sources.js';
import { urls } from './reads/urls.js';
import type { Infer } from './schema.js';

export const resources = {
  brands,
  overview,
  prompts,
  competitors,
  sources,
  urls,
  answers,
  shopping,
  'shopping-trend': shoppingTrend,
  'fact-check': factCheck,
  ads,
  sentiment,
  'metrics/history': history,
  crawlers,
} as const;

export type Resources = typeof resources;
export type ResourceName = keyof Resources;
/** The resources that can be read in pages. */
export type ListName = {
  [N in ResourceName]: Resources[N] extends { rows: string } ? N : never;
}[ResourceName];

export type ResponseOf<N extends ResourceName> = Infer<Resources[N]['response']>;
/** A list read with cursor or limit: the plain envelope and where it goes on. */
export type PageOf<N extends ListName> = ResponseOf<N> & { next_cursor: string | null };
export type ParamsOf<N extends ResourceName> = InferParams<Resources[N]['params']>;
/** Parameters as the reader gets them. */
export type ParsedParamsOf<N extends ResourceName> = ParsedParams<Resources[N]['params']>;
/** One row of a list. */
export type RowOf<N extends ListName> =
  ResponseOf<N> extends infer R
    ? Resources[N]['rows'] extends keyof R
      ? R[Resources[N]['rows']] extends (infer Row)[]
        ? Row
        : never
      : never
    : never;

export const resourceNames = Object.keys(resources) as ResourceName[];
