/** The links of a page of a brand that lead to what a name, a number or a quote stands for. They keep the slice. */
import type { Link } from './parts/layout.js';
import {
  answerPath,
  brandPath,
  competitorPath,
  domainPath,
  enginePath,
  promptPath,
  withQuery,
} from './paths.js';
import { canFilterBy, FILTER_LIMITS, queryOf, type Slice, withFilter } from './slice.js';

export interface Leads {
  readonly brandId: string;
  readonly brand: string;
  readonly prompt: (id: string) => string;
  /** The page of a brand about some prompts; null: more than an address names. */
  readonly prompts: (ids: readonly string[]) => string | null;
  readonly answer: (run: string) => string;
  readonly domain: (domain: string) => string;
  readonly competitor: (id: string) => string;
  readonly engine: (id: string) => string;
  /** Why a metric moved: the page with the days of the move and its engine. */
  readonly move: (of: {
    readonly from: string;
    readonly to: string;
    readonly engine: string | null;
  }) => string;
}

export function leadsOf(link: Link, brand: string, slice: Slice): Leads {
  const to = (path: string, kept = slice) => link(withQuery(path, queryOf(kept)));
  return {
    brandId: brand,
    brand: to(brandPath(brand)),
    // The page of a prompt, and that of an engine, set this filter themselves.
    prompt: (id) => to(promptPath(brand, id), withFilter(slice, 'prompt', undefined)),
    prompts: (ids) =>
      ids.length <= FILTER_LIMITS.values && ids.every(canFilterBy)
        ? to(brandPath(brand), withFilter(slice, 'prompt', ids))
        : null,
    answer: (run) => to(answerPath(brand, run)),
    domain: (domain) => to(domainPath(brand, domain)),
    competitor: (id) => to(competitorPath(brand, id)),
    engine: (id) => to(enginePath(brand, id), withFilter(slice, 'engine', undefined)),
    move: ({ from, to: last, engine }) =>
      `${link(withQuery(brandPath(brand), { from, to: last, engine: engine ?? undefined }))}#why`,
  };
}
