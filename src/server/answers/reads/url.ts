/** One cited page. Its sums are those of the roll-ups of cited pages; a bounded number of answers says who cites it. */
import { type EngineId, engineIds } from '../../../contract/engines.js';
import { errors } from '../../../contract/errors.js';
import type { Bounds } from '../../../contract/intervals.js';
import { SEARCHED_ANSWERS } from '../../../contract/limits.js';
import { measureValue } from '../../../contract/measures.js';
import { fact, noted } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import type { CitedPage } from '../../../contract/reads/url.js';
import type { PageType } from '../../../contract/reads/urls.js';
import { canonicalPath } from '../../../logs/hit.js';
import { everyDayOf, type Window } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { isStorable, plannedStatement, statement } from '../../base/statement.js';
import { canonicalUrl, parseWebUrl } from '../citations/canonical-url.js';
import { normaliseDomain } from '../citations/domain.js';
import { pageRequestsOf } from '../gaps/crawl.js';
import { changeOf } from '../metrics/change.js';
import { intervalOf, scoreInterval } from '../metrics/intervals.js';
import { NO_SUMS, type Sample, sampleOf } from '../metrics/samples.js';
import { round, roundedValue } from '../metrics/values.js';
import { rowsOf } from '../sums/entity-sums.js';
import { type ChosenBindings, chosenRuns, EVERY_RUN } from '../sums/run-choice.js';
import { trackedEntities } from '../sums/tracked-entities.js';
import { seesCrawlers } from './circumstances.js';
import { measuredIn } from './comparison.js';
import { reader as crawlers } from './crawlers.js';
import { labelsOf } from './domain-labels.js';
import { brandRefOf, type ReadContext, type Reader, withCaching } from './reader.js';
import { requireRunsSince, sliceOf, sumsSourceOf } from './slice.js';
import { daysFields } from './slice-days.js';

interface KnownPage {
  key: number;
  pageType: string | null;
  title: string | null;
  firstCited: string | null;
}

/** The days on which the page `u` is cited, in an order: a probe of the primary key for each collected day, until one is. */
const dayOfPage = (columns: string, order: 'asc' | 'desc', which = ''): string => `
  select ${columns} from (select distinct day from day_scope where brand_key = :brandKey order by day ${order}) d
  cross join lateral (
    select day, title_key from day_url
    where brand_key = :brandKey and day = d.day and url_key = u.url_key ${which} offset 0
  ) x
  order by d.day ${order} limit 1`;

/** A page that any answer cited; no row: none did. */
const pageByUrl = plannedStatement<KnownPage, { brandKey: number; url: string }>(
  'page_by_url',
  `select u.url_key as key, t.title, case when t.title_key is null then u.page_type else t.page_type end as "pageType",
     (${dayOfPage('x.day', 'asc')}) as "firstCited"
   from cited_urls u
   left join page_titles t on t.brand_key = :brandKey
     and t.title_key = (${dayOfPage('x.title_key', 'desc', 'and title_key is not null')})
   where u.brand_key = :brandKey and u.hash = sha256(convert_to(cast(:url as text), 'UTF8'))`,
);

interface CitingDay {
  day: string;
  answers: number;
}

/** Answers of all runs on the blended engines. */
const citingDays = statement<CitingDay, { brandKey: number; urlKey: number; days: readonly string[] }>(
  'citing_days',
  `select day, answers from day_url
   where brand_key = :brandKey and url_key = :urlKey and day = any(cast(:days as date[]))`,
);

/** Answers of chosen runs. */
const chosenCitingDays = plannedStatement<CitingDay, ChosenBindings & { urlKey: number; priorStart: string }>(
  'chosen_citing_days',
  `select day, count(*) as answers from ${chosenRuns(':priorStart')} and cast(:urlKey as integer) = any(c_url) group by day`,
);

interface Counted {
  answers: number;
  runs: number;
}

interface Citing {
  searched: number;
  since: string | null;
  prompts: (Counted & { id: string; text: string })[];
  engines: (Counted & { engine: EngineId })[];
  names: { entity: number; answers: number }[];
}

/** Who cites a page, of the newest answers. Always one row. */
const citingAnswers = plannedStatement<Citing, ChosenBindings & { urlKey: number }>(
  'citing_answers',
  `with searched as materialized (
     select day, id, prompt_key, engine, cast(:urlKey as integer) = any(c_url) as cites, m_name
     from ${chosenRuns()} order by day desc, id desc limit ${SEARCHED_ANSWERS}
   )
   select count(*) as searched, min(day) as since,
     ${rowsOf(`
       select p.id, p.text, s.answers, s.runs from (
         select prompt_key, count(*) as runs, count(*) filter (where cites) as answers from searched group by prompt_key
       ) s
       join prompts p on p.brand_key = :brandKey and p.prompt_key = s.prompt_key
       where s.answers > 0`)} as prompts,
     ${rowsOf(`
       select engine, count(*) as runs, count(*) filter (where cites) as answers from searched
       group by engine having bool_or(cites)`)} as engines,
     ${rowsOf(`
       select n.entity, count(distinct m.id) as answers
       from (select id, unnest(m_name) as name_key from searched where cites offset 0) m
       join mention_names n on n.brand_key = :brandKey and n.name_key = m.name_key and n.entity is not null
       group by n.entity`)} as names
   from searched`,
);

/** The key of no page. */
const NO_PAGE = -1;

/** @throws 400 for what is not the address of a page. */
function addressOf(given: string): { url: string; domain: string } {
  if (!isStorable(given) || parseWebUrl(given) === null) throw refuse(errors.invalidPage(given));
  return canonicalUrl(given);
}

const compute: Reader<'url'> = async (context, params) => {
  const { db, brand } = context;
  const { url, domain } = addressOf(params.url);
  const slice = await sliceOf(context, params);
  const { window, prior, engines, runs, rolledUp } = slice;
  await requireRunsSince(context, rolledUp ? window.start : prior.start, params);
  const from = await sumsSourceOf(context, slice, prior.start, params);
  const [[known], measured] = await Promise.all([
    pageByUrl(db, { brandKey: brand.key, url }),
    measuredIn(context, 'brand', slice, from, slice),
  ]);
  const of = { brandKey: brand.key, urlKey: known?.key ?? NO_PAGE };
  const ofRuns = { ...of, ...window, engines, ...(runs ?? EVERY_RUN) };
  const cited = rolledUp
    ? await citingDays(db, { ...of, days: [...everyDayOf(prior), ...everyDayOf(window)] })
    : await chosenCitingDays(db, { ...ofRuns, priorStart: prior.start });
  const byDay = new Map(cited.map(({ day, answers }) => [day, { ...NO_SUMS, present: answers }]));
  const [current, previous] = [window, prior].map((each) => sampleOf(each, measured.sums.days, byDay, true));
  const answers = current!.entity.present;
  const [label, citing, crawl, extent] = await Promise.all([
    labelsOf(context, [domain]),
    answers > 0 ? citingAnswers(db, ofRuns).then(([row]) => row!) : null,
    fetchesOf(context, { url, domain }, slice),
    daysFields(context, slice, { days: measured.sums.days.map(({ day }) => day), gaps: measured.sums.gaps }),
  ]);
  const isMeasured = extent.measured !== null;
  return {
    brand: brandRefOf(brand),
    page: {
      url,
      domain,
      title: known?.title ?? null,
      page_type: (known?.pageType ?? null) as PageType | null,
      ...label(domain),
      first_cited: known?.firstCited ?? null,
    },
    run_count: current!.totals.runs,
    answers: isMeasured ? answers : null,
    ...shareOf(current!),
    change: changeOf('presence_rate', {
      current: current!,
      previous: previous!,
      panel: measured.panel!,
      surfaces: measured.surfaces,
    }),
    ...(await whoCites(context, isMeasured, citing)),
    fetches: crawl?.fetches ?? null,
    funnel: crawl && { ...crawl.funnel, cited: isMeasured ? answers : null },
    ...extent,
    ...noted([
      extent.notes,
      isMeasured && known === undefined && fact('page_never_cited'),
      citing?.searched === SEARCHED_ANSWERS &&
        fact('citing_of_newest', { total: SEARCHED_ANSWERS, since: citing.since! }),
    ]),
  };
};

/** Hits of crawlers are not among the brand's collected data, and not of every plan. */
export const reader = withCaching(compute, {
  version: async (context) => `${await crawlers.version!(context)} ${seesCrawlers(context.access)}`,
  isCurrent: crawlers.isCurrent!,
});

/** The part of the answers that cite the page is to them what presence is to those that name the brand. */
const shareOf = (sample: Sample) => ({
  share: roundedValue('presence_rate', measureValue('presence_rate', sample)),
  interval: intervalOf('presence_rate', sample),
});

const rowOf = ({ answers, runs }: Counted) => ({
  answers,
  run_count: runs,
  share: round(answers / runs, 3),
  interval: scoreInterval(answers / runs, runs).map((bound) => round(bound, 3)) as Bounds,
});

async function whoCites(
  { db, brand }: ReadContext,
  isMeasured: boolean,
  citing: Citing | null,
): Promise<Pick<CitedPage, 'prompts' | 'engines' | 'names'>> {
  if (!isMeasured) return { prompts: [], engines: [], names: [] };
  const tracked = await trackedEntities(db, { brandKey: brand.key });
  const answersOf = new Map(citing?.names.map(({ entity, answers }) => [entity, answers]));
  return {
    prompts: (citing?.prompts ?? [])
      .sort((a, b) => b.answers - a.answers || compareText(a.id, b.id))
      .map(({ id, text, ...row }) => ({ prompt_id: id, prompt: text, ...rowOf(row) })),
    engines: (citing?.engines ?? [])
      .sort((a, b) => b.answers - a.answers || engineIds.indexOf(a.engine) - engineIds.indexOf(b.engine))
      .map(({ engine, ...row }) => ({ engine, ...rowOf(row) })),
    names: tracked
      .map(({ entity, id, name }) => ({
        id,
        name,
        is_brand: entity === 0,
        answers: answersOf.get(entity) ?? 0,
      }))
      .filter((row) => row.is_brand || row.answers > 0)
      .sort(
        (a, b) =>
          Number(b.is_brand) - Number(a.is_brand) || b.answers - a.answers || compareText(a.name, b.name),
      ),
  };
}

/** Null: it cannot be known. A log has no host, so that the host of the page has to be the brand's own. */
async function fetchesOf(
  { db, brand, access, robots }: ReadContext,
  { url, domain }: { readonly url: string; readonly domain: string },
  { window, engines }: { readonly window: Window; readonly engines: readonly string[] },
) {
  if (domain === '' || domain !== normaliseDomain(brand.domain) || !seesCrawlers(access)) return null;
  const { state } = await robots.of(brand.domain);
  const page = { url, path: canonicalPath(url) ?? '/' };
  const { fetches, funnel } = await pageRequestsOf({ db, brandKey: brand.key, window, engines }, page, state);
  return {
    fetches: fetches && { requests: fetches.requests, last_fetched: fetches.last?.toISOString() ?? null },
    funnel,
  };
}
