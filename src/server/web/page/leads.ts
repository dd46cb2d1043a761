/** The links of a page of a brand that lead to what a name, a number or a quote stands for. They keep the slice. */
import type { Link } from './parts/layout.js';
import {
  answerPath,
  brandPath,
  competitorPath,
  domainPath,
  markPath,
  pagePath,
  promptPath,
  type Query,
  type Tab,
  tabPath,
  withQuery,
} from './paths.js';
import {
  canFilterBy,
  FILTER_LIMITS,
  type Filter,
  ofAllPrompts,
  queryOf,
  type Slice,
  withFilter,
  withRange,
} from './slice.js';
import type { View } from './view.js';

/** What chosen answers say and cite. */
export type Said = Pick<View, 'cites' | 'names' | 'without' | 'tone'>;

export interface Leads {
  readonly brandId: string;
  readonly brand: string;
  readonly tab: (tab: Tab, more?: Query) => string;
  readonly prompt: (id: string) => string;
  readonly answer: (run: string) => string;
  readonly domain: (domain: string) => string;
  /** The page of a cited page. */
  readonly page: (url: string) => string;
  readonly competitor: (id: string) => string;
  /** The page of what was done. It compares all prompts, so no choice of them is kept. */
  readonly mark: (id: string) => string;
  /** The page of the brand about one value of a filter; null: no address names it. */
  readonly only: (filter: Filter, value: string) => string | null;
  /** The list of exactly the answers that a number stands for; null: no address names them. */
  readonly answers: (said?: Said, filters?: { readonly [F in Filter]?: readonly string[] }) => string | null;
  /** The page of the brand with the days of a move, and its engine and metric. */
  readonly move: (of: {
    readonly from: string;
    readonly to: string;
    readonly engine: string | null;
    readonly metric: string;
  }) => string;
}

export function leadsOf(link: Link, brand: string, slice: Slice): Leads {
  const to = (path: string, kept = slice, more: Query = {}) =>
    link(withQuery(path, { ...queryOf(kept), ...more }));
  const filtered = (filters: Readonly<Record<string, readonly string[] | undefined>>): Slice | null => {
    const all = Object.entries(filters).filter(([, values]) => values !== undefined);
    const isPossible = all.every(
      ([, values]) => values!.length <= FILTER_LIMITS.values && values!.every(canFilterBy),
    );
    if (!isPossible) return null;
    return all.reduce((rest, [name, values]) => withFilter(rest, name as Filter, values as never), slice);
  };
  return {
    brandId: brand,
    brand: to(brandPath(brand)),
    tab: (tab, more) => to(tabPath(brand, tab), slice, more),
    // The page of a prompt sets this filter itself.
    prompt: (id) => to(promptPath(brand, id), withFilter(slice, 'prompt', undefined)),
    answer: (run) => to(answerPath(brand, run)),
    domain: (domain) => to(domainPath(brand, domain)),
    page: (url) => to(pagePath(brand), slice, { url }),
    competitor: (id) => to(competitorPath(brand, id)),
    mark: (id) => to(markPath(brand, id), ofAllPrompts(slice)),
    only: (filter, value) => {
      const kept = filtered({ [filter]: [value] });
      return kept && to(brandPath(brand), kept);
    },
    answers: (said = {}, filters = {}) => {
      const kept = filtered(filters);
      return kept && to(tabPath(brand, 'answers'), kept, said as Query);
    },
    move: ({ from, to: end, engine, metric }) => {
      const days = withRange(slice, { start: from, end });
      const kept = engine === null ? days : withFilter(days, 'engine', [engine] as never);
      return to(brandPath(brand), kept, { metric });
    },
  };
}
