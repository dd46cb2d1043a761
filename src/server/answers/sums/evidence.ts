/** The newest answers behind the parts of a change: ids of runs, of all parts in one statement. */
import { type Db, plannedStatement } from '../../base/statement.js';
import { type ChosenRuns, chosenRuns } from './run-choice.js';

/** What distinguishes the runs of a part. */
export type EvidenceOf = 'prompt' | 'engine' | 'region' | 'surface' | 'name' | 'domain' | 'page';

/** Runs to look up: of a key, within some days. Several with the same `at` are one list. */
export interface Wanted {
  readonly at: number;
  /** Of a prompt, domain (−1: all of the brand) or page, or the number of an entity; else a text. */
  readonly key: number | string;
  readonly first: string;
  readonly last: string;
}

/** Ids of each list. */
const MAX_RUNS = 3;

interface EvidenceBindings extends Record<string, unknown>, ChosenRuns {
  brandKey: number;
  engines: readonly string[];
  ats: readonly number[];
  keys: readonly (number | string)[];
  firsts: readonly string[];
  lasts: readonly string[];
}

const OWN_URLS = `
  select u.url_key from domain_entities e
  join cited_urls u on u.brand_key = :brandKey and u.domain_key = e.domain_key
  where e.brand_key = :brandKey and e.entity = 0`;

/** The condition on a run, and what is looked up once for each wanted row `w`. */
const conditions: Readonly<
  Record<EvidenceOf, { readonly key: string; readonly found?: string; readonly is: string }>
> = {
  prompt: { key: 'integer', is: 'prompt_key = w.key' },
  engine: { key: 'text', is: 'engine = w.key' },
  region: { key: 'text', is: 'region = w.key' },
  surface: { key: 'text', is: 'surface = w.key' },
  name: {
    key: 'integer',
    found: 'array(select name_key from mention_names where brand_key = :brandKey and entity = w.key)',
    is: 'm_name && w.found',
  },
  domain: {
    key: 'integer',
    found: `case when w.key = -1 then array(${OWN_URLS})
      else array(select url_key from cited_urls where brand_key = :brandKey and domain_key = w.key) end`,
    is: 'c_url && w.found',
  },
  page: { key: 'integer', is: 'w.key = any(c_url)' },
};

const statements = Object.fromEntries(
  Object.entries(conditions).map(([of, { key, found = 'null', is }]) => [
    of,
    plannedStatement<{ at: number; ids: string[] }, EvidenceBindings>(
      `evidence_of_${of}`,
      `with wanted as materialized (
         select w.*, ${found} as found
         from unnest(cast(:ats as integer[]), cast(:keys as ${key}[]), cast(:firsts as date[]), cast(:lasts as date[]))
           as w(at, key, first, last)
       )
       select w.at, (array_agg(n.id order by n.day desc, n.id desc))[1:${MAX_RUNS}] as ids
       from wanted w
       cross join lateral (
         select id, day from ${chosenRuns('w.first', 'w.last')} and ${is} order by day desc, id desc limit ${MAX_RUNS}
       ) n
       group by w.at`,
    ),
  ]),
) as Record<EvidenceOf, ReturnType<typeof plannedStatement<{ at: number; ids: string[] }, EvidenceBindings>>>;

/** Ids of runs, newest first, by the `at` of what is wanted; none where there is no such run. */
export async function evidenceOf(
  db: Db,
  of: EvidenceOf,
  choice: { readonly brandKey: number; readonly engines: readonly string[] } & ChosenRuns,
  wanted: readonly Wanted[],
): Promise<Map<number, string[]>> {
  if (wanted.length === 0) return new Map();
  const rows = await statements[of](db, {
    ...choice,
    ats: wanted.map(({ at }) => at),
    keys: wanted.map(({ key }) => key),
    firsts: wanted.map(({ first }) => first),
    lasts: wanted.map(({ last }) => last),
  });
  return new Map(rows.map(({ at, ids }) => [at, ids]));
}
