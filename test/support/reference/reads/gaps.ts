import { dayOf, windowBefore, windowEndingOn } from '../days.js';
import { comparableDomain, isUnder } from '../domains.js';
import { ENGINES } from '../engines.js';
import type { Entity } from '../entities.js';
import { entitiesOf, mentionsOf } from '../entities.js';
import { spansIn } from '../names-in-texts.js';
import type { SliceParams } from '../parameters.js';
import type { BrandRecord, DatasetRecord, RunRecord } from '../records.js';
import { recordsOfBrand } from '../records.js';
import type { BrandReference, Scope } from '../scope.js';
import { findCollectedBrand, referenceTo } from '../scope.js';
import type { Chosen, Echo } from '../slices.js';
import { chosenRuns, expectedSlice } from '../slices.js';
import { positionWeight } from '../tally.js';
import { byCodePoint } from '../text-order.js';
import type { UrlRules } from '../url-rules/url-rules.js';
import { newestTitles } from './cited-pages.js';

const GAPS_CAP = 50;

export type AnswerGapKind = 'sources' | 'lost_pages' | 'within_reach' | 'absent';

export interface ExpectedGaps {
  body: Omit<Echo, 'note'> & { brand: BrandReference; kind: string; gaps: object[] };
}

/** A run with what the kinds look at. */
interface Seen {
  run: RunRecord;
  day: string;
  /** The least order of the brand; null: it is not named. */
  rank: number | null;
  rivals: Entity[];
  /** The rivals with the order 1. */
  first: Entity[];
  /** The hosts that the run cites, each once. */
  domains: Set<string>;
}

type Rules = Pick<UrlRules, 'canonicalUrl'>;

/** The kinds that answers alone decide. Null = 404. */
export function expectedGaps(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  kind: AnswerGapKind,
  slice: SliceParams = {},
): ExpectedGaps | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const chosen = chosenRuns(records, brand, scope.today, slice);
  const { note: _, ...echo } = chosen.echo;
  const gaps = rowsOf(kind, records, brand, chosen, rules);
  return { body: { brand: referenceTo(brand), kind, gaps: gaps.slice(0, GAPS_CAP), ...echo } };
}

function rowsOf(
  kind: AnswerGapKind,
  records: DatasetRecord[],
  brand: BrandRecord,
  chosen: Chosen,
  rules: UrlRules,
): object[] {
  const entities = entitiesOf(records, brand);
  if (kind === 'lost_pages') return lostPages(chosen, entities[0]!, rules);
  const seen = chosen.runs.map((run) => seenIn(run, entities, rules));
  if (kind === 'sources') return sources(seen, entities);
  const active = recordsOfBrand(records, 'prompt', brand.id).filter((prompt) => prompt.active !== false);
  const rows = active.map((prompt) => ({
    prompt,
    asked: seen.filter(({ run }) => run.prompt === prompt.id),
  }));
  return kind === 'within_reach' ? withinReach(rows, brand, seen.length) : absent(rows);
}

function seenIn(run: RunRecord, [own, ...rivals]: Entity[], rules: Rules): Seen {
  const orderOf = (entity: Entity) => mentionsOf(entity, run.mentions)[0]?.order ?? null;
  return {
    run,
    day: dayOf(run.collected_at),
    rank: orderOf(own!),
    rivals: rivals.filter((rival) => orderOf(rival) !== null),
    first: rivals.filter((rival) => orderOf(rival) === 1),
    domains: new Set(run.citations.map(({ url }) => rules.canonicalUrl(url).domain)),
  };
}

const isLost = ({ rank, rivals }: Seen) => rank === null && rivals.length > 0;

function sources(seen: Seen[], entities: Entity[]): object[] {
  const days = new Set(seen.map(({ day }) => day)).size;
  const isTracked = (domain: string) =>
    entities.some((each) => each.domain !== '' && isUnder(domain, each.domain));
  const domains = [...new Set(seen.flatMap((each) => [...each.domains]))];
  const rows = domains.flatMap((domain) => {
    const citing = seen.filter((each) => each.domains.has(domain));
    const lost = citing.filter(isLost);
    if (domain === '' || isTracked(domain) || lost.length === 0) return [];
    const lostDays = new Set(lost.map(({ day }) => day)).size;
    return {
      domain,
      answers: lost.length,
      own_answers: citing.filter(({ rank }) => rank !== null).length,
      prompts: new Set(lost.map(({ run }) => run.prompt)).size,
      engines: ENGINES.filter((engine) => lost.some(({ run }) => run.engine === engine)),
      rivals: counted(lost.flatMap(({ rivals }) => rivals))
        .map(({ entity, answers }) => ({ id: entity.id, answers, name: entity.name }))
        .sort((a, b) => b.answers - a.answers || byCodePoint(a.id, b.id)),
      days: lostDays,
      stability: lostDays / days,
      score: (lost.length * lostDays) / days,
    };
  });
  return rows.sort((a, b) => b.answers * b.days - a.answers * a.days || byCodePoint(a.domain, b.domain));
}

/** How often each entity is in a list. */
function counted(entities: Entity[]) {
  return [...new Set(entities)].map((entity) => ({
    entity,
    answers: entities.filter((each) => each === entity).length,
  }));
}

function mostOf(entities: Entity[]) {
  const [most] = counted(entities).sort(
    (a, b) =>
      b.answers - a.answers ||
      byCodePoint(a.entity.name, b.entity.name) ||
      byCodePoint(a.entity.id, b.entity.id),
  );
  return most ? { id: most.entity.id, name: most.entity.name, answers: most.answers } : null;
}

function lostPages({ runs, priorRuns }: Chosen, own: Entity, rules: UrlRules): object[] {
  if (runs.length === 0) return [];
  const cited = (some: RunRecord[]) =>
    some.flatMap((run) =>
      run.citations.map(({ url }) => ({ day: dayOf(run.collected_at), ...rules.canonicalUrl(url) })),
    );
  const [now, before] = [cited(runs), cited(priorRuns)];
  const titles = newestTitles(priorRuns, rules);
  const urls = [...new Set(before.map(({ url }) => url))];
  const rows = urls.flatMap((url) => {
    const former = before.filter((each) => each.url === url);
    const days = new Set(former.map(({ day }) => day)).size;
    const { domain } = former[0]!;
    const isOwn = domain !== '' && own.domain !== '' && isUnder(domain, own.domain);
    if (!isOwn || days < 3 || now.some((each) => each.url === url)) return [];
    return {
      url,
      title: titles.get(url) ?? null,
      citations_before: former.length,
      days_before: days,
      p_value: (1 - former.length / before.length) ** now.length,
    };
  });
  return rows.sort((a, b) => b.citations_before - a.citations_before || byCodePoint(a.url, b.url));
}

interface Asked {
  prompt: { id: string; text: string };
  asked: Seen[];
}

/** Whether a text contains a name of the brand as whole words. */
const namesBrand = (text: string, { name, aliases }: BrandRecord): boolean =>
  spansIn({
    answer: text,
    mentions: [name, ...(aliases ?? [])].map((each) => ({ name: each, order: 1 })),
  } as RunRecord).length > 0;

function withinReach(rows: Asked[], brand: BrandRecord, answers: number): object[] {
  const found = rows.flatMap(({ prompt, asked }) => {
    if (namesBrand(prompt.text, brand)) return [];
    const near = asked.filter(({ rank }) => rank !== null && rank >= 2 && rank <= 4);
    if (near.length === 0) return [];
    const weights = (as: (each: Seen) => number | null) =>
      asked.reduce((sum, each) => sum + (as(each) === null ? 0 : positionWeight(as(each)!)), 0);
    const now = weights(({ rank }) => rank);
    const first = weights((each) => (near.includes(each) ? 1 : each.rank));
    const points = (sum: number) => sum / (1e7 * asked.length);
    return {
      prompt_id: prompt.id,
      prompt: prompt.text,
      runs: asked.length,
      present_runs: asked.filter(({ rank }) => rank !== null).length,
      answers: near.length,
      ahead: mostOf(near.flatMap((each) => each.first)),
      visibility: points(now),
      visibility_if_first: points(first),
      gain: points(first - now),
      brand_gain: (first - now) / (1e7 * answers),
    };
  });
  return found.sort((a, b) => b.brand_gain - a.brand_gain || byCodePoint(a.prompt_id, b.prompt_id));
}

function absent(rows: Asked[]): object[] {
  const found = rows.flatMap(({ prompt, asked }) => {
    const rivals = asked.filter((each) => each.rivals.length > 0);
    if (rivals.length === 0 || asked.some(({ rank }) => rank !== null)) return [];
    const domains = [...new Set(rivals.flatMap((each) => [...each.domains]))].filter((each) => each !== '');
    const cited = domains.map((domain) => ({
      domain,
      answers: rivals.filter((each) => each.domains.has(domain)).length,
    }));
    return {
      prompt_id: prompt.id,
      prompt: prompt.text,
      runs: asked.length,
      winner: mostOf(rivals.flatMap((each) => each.rivals)),
      cited: cited.sort((a, b) => b.answers - a.answers || byCodePoint(a.domain, b.domain)).slice(0, 5),
    };
  });
  return found.sort((a, b) => b.runs - a.runs || byCodePoint(a.prompt_id, b.prompt_id));
}

// From crawl to citation.

/** A request of an agent. */
export interface Hit {
  agent: string;
  path: string;
  time: string;
  status: number | null;
}

/** The agents that fetch for the answers of an engine. */
const AGENTS: Readonly<Record<string, readonly string[]>> = {
  chatgpt: ['oai-searchbot', 'chatgpt-user'],
  aio: ['googlebot'],
  aimode: ['googlebot'],
  copilot: ['bingbot'],
  perplexity: ['perplexitybot', 'perplexity-user'],
  gemini: ['googlebot'],
  claude: ['claude-searchbot', 'claude-user'],
};
const agentsOf = (engines: readonly string[]) => [
  ...new Set(ENGINES.filter((engine) => engines.includes(engine)).flatMap((engine) => AGENTS[engine] ?? [])),
];

const isRefusal = ({ status }: Hit) =>
  status !== null && ([401, 403, 429].includes(status) || (status >= 500 && status < 600));
const isFile = (path: string) =>
  /\.(css|js|mjs|map|json|xml|rss|atom|txt|png|jpe?g|gif|webp|avif|svg|ico|bmp|woff2?|ttf|otf|eot|mp4|webm|mp3|wasm|gz|zip)$/i.test(
    path,
  ) || /sitemap/i.test(path);

export interface CrawlFacts {
  /** Of all time. */
  hits: Hit[];
  /** Whether any log was ever received. */
  connected: boolean;
  /** What robots.txt says to an agent about a path with its query; null: it could not be fetched. */
  robots: ((agent: string, target: string) => object & { verdict: string }) | null;
}

/** Null = 404. */
export function expectedCrawlGaps(
  records: DatasetRecord[],
  scope: Scope,
  rules: UrlRules,
  { hits, connected, robots }: CrawlFacts,
  slice: SliceParams = {},
): ExpectedGaps | null {
  const brand = findCollectedBrand(records, scope);
  if (brand === null) return null;
  const days = slice.from === undefined ? windowEndingOn(scope.today, 28) : null;
  const { runs, counts, echo } = chosenRuns(records, brand, scope.today, {
    ...slice,
    ...(days && { from: days.start, to: days.end }),
  });
  const { start, end } = echo.window;
  const own = comparableDomain(brand.domain);
  const pages = new Map<string, RunRecord[]>();
  for (const run of runs)
    for (const citation of run.citations) {
      const { url, domain } = rules.canonicalUrl(citation.url);
      if (domain === own && own !== '') pages.set(url, [...(pages.get(url) ?? []), run]);
    }
  const within = hits.filter(({ time }) => dayOf(time) >= start && dayOf(time) <= end);
  const oldest = hits.map(({ time }) => dayOf(time)).sort()[0];
  const newest = hits
    .map(({ time }) => dayOf(time))
    .sort()
    .at(-1);
  const yesterday = windowBefore({ start: end, end }).start;
  const covered = oldest !== undefined && oldest <= start && newest! >= yesterday;
  const verdict = (agent: string, target: string) => robots?.(agent, target) ?? null;
  const rows: Row[] = [];
  const pathOf = (url: string) => new URL(url).pathname;
  const searching = agentsOf(ENGINES.filter(counts));
  const funnelOf = ({ url, citations }: Row) => {
    const { pathname, search } = new URL(url);
    const own = within.filter(({ path, agent }) => path === pathname && searching.includes(agent));
    const isKnown = own.length > 0 || covered;
    const allowed = own.filter(({ agent }) => verdict(agent, pathname + search)?.verdict !== 'blocked');
    const stated = own.filter(({ status }) => status !== null);
    const served = stated.filter(({ status }) => status! >= 200 && status! < 400).length;
    return {
      crawled: isKnown ? own.length : null,
      allowed: isKnown && robots ? allowed.length : null,
      served: isKnown && (own.length === 0 || stated.length > 0) ? served : null,
      ...{ cited: citations, visited: null },
    };
  };
  for (const [url, citing] of pages) {
    const engines = ENGINES.filter((engine) => citing.some((run) => run.engine === engine));
    const { pathname, search } = new URL(url);
    const all = within.filter(({ path }) => path === pathname);
    const agents = agentsOf(engines).map((agent) => ({
      agent,
      requests: all.filter((hit) => hit.agent === agent).length,
      refused: all.filter((hit) => hit.agent === agent && isRefusal(hit)).length,
      robots: verdict(agent, pathname + search),
    }));
    const page = { url, citations: citing.length, engines };
    const most = (some: typeof agents) =>
      [...some].sort((a, b) => b.refused - a.refused || b.requests - a.requests)[0];
    const refused = most(agents.filter((each) => each.refused > 0 && each.refused >= each.requests / 2));
    const closed = most(agents.filter((each) => each.robots?.verdict === 'blocked'));
    if (refused) rows.push({ ...page, fault: 'refused', ...refused });
    if (closed) rows.push({ ...page, fault: 'closed', ...closed });
    if (covered && all.length === 0)
      rows.push({ ...page, fault: 'never_fetched', agent: null, requests: 0, refused: 0, robots: null });
  }
  const paths = new Set([...pages.keys()].map(pathOf));
  const visits = within.filter(({ agent }) => searching.includes(agent));
  for (const path of new Set(visits.map((hit) => hit.path))) {
    const all = visits.filter((hit) => hit.path === path);
    const fetched = new Set(all.filter(({ status }) => (status ?? 0) < 400).map(({ time }) => dayOf(time)));
    if (!covered || own === '' || paths.has(path) || isFile(path) || fetched.size < 3) continue;
    const [agent] = searching
      .map((name) => ({
        agent: name,
        requests: all.filter((hit) => hit.agent === name).length,
        refused: all.filter((hit) => hit.agent === name && isRefusal(hit)).length,
      }))
      .filter(({ requests }) => requests > 0)
      .sort((a, b) => b.refused - a.refused || b.requests - a.requests);
    const page = { url: `https://${brand.domain}${path}`, fault: 'never_cited', citations: 0, engines: [] };
    rows.push({ ...page, ...agent!, robots: verdict(agent!.agent, path) });
  }
  const unlogged = connected ? {} : { requests: null, refused: null };
  const faults = ['refused', 'closed', 'never_fetched', 'never_cited'];
  const sorted = rows.sort(
    (a, b) =>
      b.citations - a.citations ||
      b.requests - a.requests ||
      byCodePoint(a.url, b.url) ||
      faults.indexOf(a.fault) - faults.indexOf(b.fault),
  );
  const { note: _, ...rest } = echo;
  return {
    body: {
      ...{ brand: referenceTo(brand), kind: 'crawl' },
      gaps: sorted.slice(0, GAPS_CAP).map((row) => ({ ...row, ...unlogged, funnel: funnelOf(row) })),
      ...{ ...rest, slice: expectedSlice(slice) },
    },
  };
}

interface Row {
  url: string;
  fault: string;
  citations: number;
  engines: string[];
  agent: string | null;
  requests: number;
  refused: number;
  robots: object | null;
}
