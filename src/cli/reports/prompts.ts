/** The prompts whose answers never name the brand, and who is cited or named there instead. */
import type { BrandReads } from '../../contract/brand-reads.js';
import { blendedEngineIds } from '../../contract/engines.js';
import { label } from '../../contract/glossary.js';
import { compareText } from '../../contract/order.js';
import { brand } from '../../contract/params.js';
import { brandRef } from '../../contract/read.js';
import { answer, mention } from '../../contract/reads/answers.js';
import { citationWinner, contentCoverage } from '../../contract/reads/coverage.js';
import { fanout } from '../../contract/reads/fanouts.js';
import { prompt } from '../../contract/reads/prompts.js';
import { source } from '../../contract/reads/sources.js';
import type { BodyOf, RowOf } from '../../contract/registry.js';
import {
  count,
  flag,
  headed,
  type Infer,
  list,
  nullable,
  number,
  object,
  text,
} from '../../contract/schema.js';
import { measuredDays, measuredWindow, windowRange } from '../../contract/slice.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import { promptState } from '../../sdk/null-states.js';
import { CommandError } from '../command-error.js';
import { counted, grouped } from '../render/view.js';
import type { Days } from '../render/wording.js';
import { suggestion } from '../suggestion.js';
import { clientReads } from './client-reads.js';

/** Counts by name, the most frequent first. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Names with their counts, in descending order, then by name. */
  get ranked(): readonly (readonly [name: string, count: number])[] {
    return [...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  }
}

/** The item of a map; made at its first use. */
function itemOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

/** The description that gaps of the kind absent have. */
const WINNER = 'The tracked competitor that most answers name, by any of its spellings';

const losingPrompt = object({
  prompt_id: text('Prompt id'),
  text: prompt.fields.text,
  run_count: prompt.fields.run_count,
  est_volume_band: prompt.fields.est_volume_band,
  winner: nullable(text(`${WINNER}; null: they name none, or were not read, see --pages`)),
  winner_answers: nullable(headed('named in', count('Answers that name it'))),
  cited: nullable(text('The most cited domain that is not the brand’s; null: nothing was cited')),
  cited_classification: nullable(headed(label('kind'), source.fields.classification)),
  cited_citations: nullable(headed(label('citations'), count('Its citations in the window'))),
  cited_page: nullable(text('Its most cited page; null: not read, see --pages', label('page'))),
  own_page: nullable(text('The page of the brand that is cited most although no answer names the brand')),
  winners: list(citationWinner, 'The most cited domains that are not the brand’s'),
});
export type LosingPrompt = Infer<typeof losingPrompt>;

/** The days of reads that are composed of others. */
const composedParams = { brand, ...windowRange };

export const losing = {
  params: composedParams,
  rows: 'prompts',
  response: object({
    brand: brandRef,
    window_days: count('Days of the window'),
    window: contentCoverage.response.fields.window,
    measured: contentCoverage.response.fields.measured,
    totals: object({
      prompts: count('Active prompts'),
      measured: count('Prompts with an answer in the window'),
      losing: count('Of those, the ones whose answers never name the brand'),
    }),
    prompts: list(losingPrompt, 'By the citations of the most cited domain'),
  }),
} as const;
export type Losing = Infer<typeof losing.response>;

/** `2 of 22 measured prompts never name the brand · 1 not measured`. */
export const extentOf = ({ prompts, measured, losing: absent }: Losing['totals']): string =>
  `answers to ${grouped(absent)} of ${counted(measured, 'measured prompt')} never name the brand · ${grouped(prompts - measured)} not measured`;

type Coverage = BodyOf<'content-coverage'>;
type Prompts = BodyOf<'prompts'>['prompts'];

/** The prompts with their coverage. */
export interface CoveredPrompts {
  readonly prompts: Prompts;
  readonly coverage: Coverage;
}

/** Two reads of the same days. */
export async function readPrompts(reads: BrandReads, { from, to }: Days): Promise<CoveredPrompts> {
  const days = { from, to };
  const [{ prompts }, coverage] = await Promise.all([
    reads.load('prompts', days),
    reads.load('content-coverage', days),
  ]);
  return { prompts, coverage };
}

const isMeasured = (each: Prompts[number]): boolean => promptState(each) !== 'never_sampled';
const isAbsent = (each: Prompts[number]): boolean => promptState(each) === 'absent';

/** The prompts whose answers never name the brand. With `pages` the answers of the window are read too, a request for each page. */
export async function readLosing(
  svc: SvcClient,
  pages: boolean,
  days: Days,
  options: CallOptions,
): Promise<Losing> {
  const read = await readPrompts(clientReads(svc, options), days);
  const details =
    pages && read.prompts.some(isAbsent)
      ? await readDetails(svc, options, days, read.coverage.brand.id)
      : undefined;
  return losingOf(read, details);
}

/** @param details If the answers were read. */
export function losingOf({ prompts, coverage }: CoveredPrompts, details?: AllDetails): Losing {
  const lost = prompts.filter(isAbsent);
  const covered = new Map(coverage.prompts.map((each) => [each.prompt_id, each]));
  const rows = lost.map((each) => rowOf(each, covered.get(each.id), details));
  return {
    ...extentOfPrompts(coverage),
    totals: { prompts: prompts.length, measured: prompts.filter(isMeasured).length, losing: lost.length },
    prompts: rows.sort((a, b) => (b.cited_citations ?? -1) - (a.cited_citations ?? -1)),
  };
}

const extentOfPrompts = ({ brand, window_days, window, measured }: Coverage) => ({
  brand,
  window_days,
  window,
  measured,
});

/** What the answers to one prompt cite, and which rivals they name. */
interface Details {
  /** Answers by the id of a competitor. */
  readonly rivals: Tally;
  readonly pages: Map<string, Tally>;
}

interface AllDetails {
  readonly ofPrompts: ReadonlyMap<string, Details>;
  readonly companies: Companies;
}

/** The answers of the engines that prompts and coverage are about. */
async function readDetails(
  svc: SvcClient,
  options: CallOptions,
  days: Days,
  brand: string,
): Promise<AllDetails> {
  const blended: readonly string[] = blendedEngineIds;
  const ofPrompts = new Map<string, Details>();
  const companies = new Companies();
  const tracked = companiesOf(svc, options, days);
  // Its failure is reported below, even if it comes first.
  tracked.catch(() => {});
  for await (const { prompt_id, engine, mentions, citations } of svc.answers.list(days, options)) {
    if (!blended.includes(engine)) continue;
    const { rivals, pages } = itemOf(ofPrompts, prompt_id, () => ({ rivals: new Tally(), pages: new Map() }));
    for (const { entity, name } of mentions) companies.spelled(entity, name);
    for (const id of new Set(mentions.map(({ entity }) => entity)))
      if (id !== null && id !== brand) rivals.add(id);
    for (const { domain, url } of citations) itemOf(pages, domain, () => new Tally()).add(url);
  }
  companies.tracked(await tracked);
  return { ofPrompts, companies };
}

/** The names of the brand and of competitors by their ids. One that is no longer tracked has the name of an answer. */
class Companies {
  readonly #names = new Map<string, string>();

  spelled(id: string | null, name: string): void {
    if (id !== null && !this.#names.has(id)) this.#names.set(id, name);
  }

  tracked(companies: BodyOf<'competitors'>['competitors']): void {
    for (const { id, name } of companies) this.#names.set(id, name);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? id;
  }
}

const companiesOf = async (svc: SvcClient, options: CallOptions, days: Days) =>
  (await svc.competitors.top(days, options)).competitors;

/** The rival in most answers to a prompt, ties by name, then by id. */
function winnerOf(
  prompt: string,
  details: AllDetails | undefined,
): Pick<LosingPrompt, 'winner' | 'winner_answers'> {
  const rows = (details?.ofPrompts.get(prompt)?.rivals.ranked ?? []).map(([id, answers]) => ({
    id,
    answers,
    name: details!.companies.nameOf(id),
  }));
  const [first] = rows.sort(
    (a, b) => b.answers - a.answers || compareText(a.name, b.name) || compareText(a.id, b.id),
  );
  return { winner: first?.name ?? null, winner_answers: first?.answers ?? null };
}

function rowOf(
  { id, text, run_count, est_volume_band }: BodyOf<'prompts'>['prompts'][number],
  covered: Coverage['prompts'][number] | undefined,
  details: AllDetails | undefined,
): LosingPrompt {
  const [cited] = covered?.winners ?? [];
  return {
    prompt_id: id,
    text,
    run_count,
    est_volume_band,
    ...winnerOf(id, details),
    cited: cited?.domain ?? null,
    cited_classification: cited?.classification ?? null,
    cited_citations: cited?.citations ?? null,
    cited_page: (cited && details?.ofPrompts.get(id)?.pages.get(cited.domain)?.ranked[0]?.[0]) ?? null,
    own_page: covered?.own_pages[0]?.url ?? null,
    winners: covered?.winners ?? [],
  };
}

// The prompts whose answers seldom name the brand, and who is named there instead.

const seldomPrompt = object({
  prompt_id: text('Prompt id'),
  text: prompt.fields.text,
  run_count: prompt.fields.run_count,
  presence_rate: prompt.fields.presence_rate,
  winner: nullable(text(`${WINNER}; null: they name none`)),
  winner_answers: losingPrompt.fields.winner_answers,
  cited: losingPrompt.fields.cited,
  cited_citations: losingPrompt.fields.cited_citations,
  own_page: losingPrompt.fields.own_page,
});
export type SeldomPrompt = Infer<typeof seldomPrompt>;

export const seldom = {
  params: composedParams,
  rows: 'prompts',
  response: object({
    ...losing.response.fields,
    totals: object({
      prompts: losing.response.fields.totals.fields.prompts,
      measured: losing.response.fields.totals.fields.measured,
      below: count('Of those, the ones whose answers name the brand less often than the limit'),
    }),
    prompts: list(seldomPrompt, 'The least presence first, then the most answers'),
  }),
} as const;
export type Seldom = Infer<typeof seldom.response>;

/**
 * The prompts whose answers name the brand less often. All answers of the window are read, a request for each page.
 * @param below A share, 0 to 1.
 */
export async function readSeldom(
  svc: SvcClient,
  below: number,
  days: Days,
  options: CallOptions,
): Promise<Seldom> {
  const { prompts, coverage } = await readPrompts(clientReads(svc, options), days);
  const rare = prompts.filter(({ presence_rate }) => presence_rate !== null && presence_rate < below);
  const covered = new Map(coverage.prompts.map((each) => [each.prompt_id, each]));
  const details = rare.length === 0 ? undefined : await readDetails(svc, options, days, coverage.brand.id);
  const rows = rare.map((each): SeldomPrompt => {
    const { prompt_id, text, run_count, winner, winner_answers, cited, cited_citations, own_page } = rowOf(
      each,
      covered.get(each.id),
      details,
    );
    return {
      prompt_id,
      text,
      run_count,
      presence_rate: each.presence_rate,
      winner,
      winner_answers,
      cited,
      cited_citations,
      own_page,
    };
  });
  return {
    ...extentOfPrompts(coverage),
    totals: { prompts: prompts.length, measured: prompts.filter(isMeasured).length, below: rare.length },
    prompts: rows.sort((a, b) => a.presence_rate! - b.presence_rate! || b.run_count - a.run_count),
  };
}

// One prompt in all reads that have data about it.

const promptEngine = object({
  engine: answer.fields.engine,
  answers: count('Answers of the engine'),
  with_brand: count('Of those, the ones that mention the brand'),
});
const promptName = object({
  name: text('The brand or a tracked competitor, all its spellings as one; else a name as answers wrote it'),
  entity: mention.fields.entity,
  is_brand: flag('The brand itself'),
  answers: count('Answers that name it'),
  avg_position: number('Mean 1-based rank in them'),
});
const promptPage = object({
  url: text('Canonical cited URL'),
  domain: text('Its domain'),
  citations: count('Citations in answers to the prompt'),
});
const promptQuote = object({
  run_id: answer.fields.id,
  date: answer.fields.date,
  engine: answer.fields.engine,
  name: mention.fields.name,
  sentiment: mention.fields.sentiment,
  quote: mention.fields.evidence,
});
export const onePrompt = {
  summary: 'One prompt: engines, names, cited pages, quotes and searches',
  params: composedParams,
  rows: 'engines',
  response: object({
    brand: brandRef,
    prompt,
    window: measuredWindow,
    measured: measuredDays,
    answers: count('Answers of the window, of every engine'),
    engines: list(promptEngine, 'By answers'),
    names: list(promptName, 'By answers'),
    pages: list(promptPage, 'By citations'),
    quotes: list(promptQuote, 'Newest first'),
    searches: list(fanout, 'Searches that engines ran for the prompt, among the most frequent of the brand'),
  }),
} as const;
export type OnePrompt = Infer<typeof onePrompt.response>;
type Answer = RowOf<'answers'>;

/**
 * Reads one prompt: its metrics, its answers (a request for each page), and the searches, all of the same days.
 * @throws CommandError `not_found` for an id that no active prompt has.
 */
export async function readPrompt(
  svc: SvcClient,
  id: string,
  days: Days,
  options: CallOptions,
): Promise<OnePrompt> {
  const { brand, prompts, window, measured } = await svc.prompts.top(days, options);
  const found = prompts.find((each) => each.id === id) ?? unknown(id, prompts);
  const searching = svc.tools.call('list_fanouts', days, options);
  // Its failure is reported below, even if it comes first.
  searching.catch(() => {});
  const tracked = companiesOf(svc, options, days);
  tracked.catch(() => {});
  const answers: Answer[] = [];
  for await (const row of svc.answers.list({ ...days, prompt: id }, options)) answers.push(row);
  const { fanouts } = await searching;
  return {
    brand,
    prompt: found,
    window,
    measured,
    answers: answers.length,
    engines: enginesOf(answers),
    names: namesOf(answers, brand.id, await tracked),
    pages: pagesOf(answers),
    quotes: answers.flatMap(quotesOf),
    searches: fanouts.filter((each) => each.prompts.includes(id)),
  };
}

function unknown(id: string, prompts: BodyOf<'prompts'>['prompts']): never {
  const near = suggestion(
    id,
    prompts.map((each) => each.id),
  );
  throw new CommandError('not_found', `No active prompt has the id ${id}.${near}`, {
    hint: '`svc prompts` lists the ids.',
  });
}

function enginesOf(answers: readonly Answer[]): OnePrompt['engines'] {
  const rows = new Map<string, OnePrompt['engines'][number]>();
  for (const { engine, brand_present } of answers) {
    const row = itemOf(rows, engine, () => ({ engine, answers: 0, with_brand: 0 }));
    row.answers += 1;
    row.with_brand += Number(brand_present);
  }
  return [...rows.values()].sort((a, b) => b.answers - a.answers || (a.engine < b.engine ? -1 : 1));
}

/** Companies and names that are not tracked; an answer counts once for each, at its first rank. */
function namesOf(
  answers: readonly Answer[],
  brand: string,
  tracked: BodyOf<'competitors'>['competitors'],
): OnePrompt['names'] {
  const companies = new Companies();
  const ranks = new Map<
    string,
    { readonly entity: string | null; readonly name: string; orders: number[] }
  >();
  for (const { mentions } of answers) {
    const seen = new Set<string>();
    for (const { entity, name, order } of mentions) {
      companies.spelled(entity, name);
      const key = entity === null ? `name ${name}` : `entity ${entity}`;
      if (seen.has(key)) continue;
      seen.add(key);
      itemOf(ranks, key, () => ({ entity, name, orders: [] })).orders.push(order);
    }
  }
  companies.tracked(tracked);
  const rows = [...ranks.values()].map(({ entity, name, orders }) => ({
    name: entity === null ? name : companies.nameOf(entity),
    entity,
    is_brand: entity === brand,
    answers: orders.length,
    avg_position: orders.reduce((sum, order) => sum + order, 0) / orders.length,
  }));
  return rows.sort((a, b) => b.answers - a.answers || a.avg_position - b.avg_position);
}

function pagesOf(answers: readonly Answer[]): OnePrompt['pages'] {
  const tally = new Tally();
  const domains = new Map<string, string>();
  for (const { domain, url } of answers.flatMap(({ citations }) => citations)) {
    tally.add(url);
    domains.set(url, domain);
  }
  return tally.ranked.map(([url, citations]) => ({ url, domain: domains.get(url)!, citations }));
}

const quotesOf = ({ id, date, engine, mentions }: Answer): OnePrompt['quotes'] =>
  mentions
    .filter(({ evidence }) => evidence !== null)
    .map(({ name, sentiment, evidence }) => ({ run_id: id, date, engine, name, sentiment, quote: evidence }));
