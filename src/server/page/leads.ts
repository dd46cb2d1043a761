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
import { queryOf, type Slice } from './slice.js';

export interface Leads {
  readonly brand: string;
  readonly prompt: (id: string) => string;
  readonly answer: (run: string) => string;
  readonly domain: (domain: string) => string;
  readonly competitor: (id: string) => string;
  readonly engine: (id: string) => string;
}

export function leadsOf(link: Link, brand: string, slice: Slice): Leads {
  const to = (path: string) => link(withQuery(path, queryOf(slice)));
  return {
    brand: to(brandPath(brand)),
    prompt: (id) => to(promptPath(brand, id)),
    answer: (run) => to(answerPath(brand, run)),
    domain: (domain) => to(domainPath(brand, domain)),
    competitor: (id) => to(competitorPath(brand, id)),
    engine: (id) => to(enginePath(brand, id)),
  };
}
