/** The prompts whose answers never mention the brand, and who is cited or named there instead. */
import { blendedEngineIds } from '../../contract/engines.js';
import { brandRef } from '../../contract/read.js';
import { answer, mention } from '../../contract/reads/answers.js';
import { citationWinner, contentCoverage } from '../../contract/reads/coverage.js';
import { fanout } from '../../contract/reads/fanouts.js';
import { prompt } from '../../contract/reads/prompts.js';
import { source } from '../../contract/reads/sources.js';
import type { BodyOf, RowOf } from '../../contract/registry.js';
import { count, flag, type Infer, list, nullable, number, object, text } from '../../contract/schema.js';
import { measuredDays, measuredWindow } from '../../contract/slice.js';
import type { CallOptions } from '../../sdk/arguments.js';
import type { SvcClient } from '../../sdk/client.js';
import { promptState } from '../../sdk/null-states.js';
import { CommandError } from '../failure/command-error.js';
import { suggestion } from '../failure/suggestion.js';
import { counted, grouped } from '../render/view.js';
import type { Days } from '../render/wording.js';

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

export const losingPrompt = object({
  prompt_id: text('Prompt id'),
  text: prompt.fields.text,
  run_count: prompt.fields.run_count,
  est_volume_band: prompt.fields.est_volume_band,
  winner: nullable(text('The most cited domain that is not the brand’s; null: nothing was cited')),
  winner_classification: nullable(source.fields.classification),
  winner_citations: nullable(count('Its citations in the window')),
  winner_page: nullable(text('Its most cited page; null: not read, see --pages')),
  rival: nullable(text('The name that most answers mention; null: not read, see --pages')),
  own_page: nullable(text('The page of the brand that is cited most although no answer names the brand')),
  winners: list(citationWinner, 'The most cited domains that are not the brand’s'),
});
export type LosingPrompt = Infer<typeof losingPrompt>;

export const losing = object({
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
});
export type Losing = Infer<typeof losing>;

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

/**
 * Two requests of the same days.
 * @throws SvcError of the first request that fails.
 */
export async function readPrompts(svc: SvcClient, options: CallOptions, days: Days): Promise<CoveredPrompts> {
  const [{ prompts }, coverage] = await Promise.all([
    svc.prompts.top(days, options),
    svc.tools.call('get_content_coverage', days, options),
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
  const read = await readPrompts(svc, options, days);
  const details = pages && read.prompts.some(isAbsent) ? await readDetails(svc, options, days) : undefined;
  return losingOf(read, details);
}

/** @param details Of each prompt, if the answers were read. */
export function losingOf(
  { prompts, coverage }: CoveredPrompts,
  details?: ReadonlyMap<string, Details>,
): Losing {
  const lost = prompts.filter(isAbsent);
  const covered = new Map(coverage.prompts.map((each) => [each.prompt_id, each]));
  const rows = lost.map((each) => rowOf(each, covered.get(each.id), details?.get(each.id)));
  return {
    ...extentOfPrompts(coverage),
    totals: { prompts: prompts.length, measured: prompts.filter(isMeasured).length, losing: lost.length },
    prompts: rows.sort((a, b) => (b.winner_citations ?? -1) - (a.winner_citations ?? -1)),
  };
}

const extentOfPrompts = ({ brand, window_days, window, measured }: Coverage) => ({
  ...{ brand, window_days, window, measured },
});

/** What the answers to one prompt cite and name. */
interface Details {
  readonly names: Tally;
  readonly pages: Map<string, Tally>;
}

/** The answers of the engines that prompts and coverage are about. */
async function readDetails(svc: SvcClient, options: CallOptions, days: Days): Promise<Map<string, Details>> {
  const blended: readonly string[] = blendedEngineIds;
  const found = new Map<string, Details>();
  for await (const { prompt_id, engine, mentions, citations } of svc.answers.list(days, options)) {
    if (!blended.includes(engine)) continue;
    const { names, pages } = itemOf(found, prompt_id, () => ({ names: new Tally(), pages: new Map() }));
    for (const name of new Set(mentions.map((each) => each.name))) names.add(name);
    for (const { domain, url } of citations) itemOf(pages, domain, () => new Tally()).add(url);
  }
  return found;
}

function rowOf(
  { id, text, run_count, est_volume_band }: BodyOf<'prompts'>['prompts'][number],
  covered: Coverage['prompts'][number] | undefined,
  details: Details | undefined,
): LosingPrompt {
  const [winner] = covered?.winners ?? [];
  return {
    prompt_id: id,
    text,
    run_count,
    est_volume_band,
    winner: winner?.domain ?? null,
    winner_classification: winner?.classification ?? null,
    winner_citations: winner?.citations ?? null,
    winner_page: (winner && details?.pages.get(winner.domain)?.ranked[0]?.[0]) ?? null,
    rival: details?.names.ranked[0]?.[0] ?? null,
    own_page: covered?.own_pages[0]?.url ?? null,
    winners: covered?.winners ?? [],
  };
}

// The prompts whose answers seldom name the brand, and who is named there instead.

export const seldomPrompt = object({
  prompt_id: text('Prompt id'),
  text: prompt.fields.text,
  run_count: prompt.fields.run_count,
  presence_rate: prompt.fields.presence_rate,
  winner: nullable(text('The name besides the brand that most answers mention; null: they name nobody else')),
  winner_answers: nullable(count('Answers that mention it')),
  cited: nullable(text('The most cited domain that is not the brand’s; null: nothing was cited')),
  cited_citations: nullable(count('Its citations in the window')),
  own_page: losingPrompt.fields.own_page,
});
export type SeldomPrompt = Infer<typeof seldomPrompt>;

export const seldom = object({
  ...losing.fields,
  totals: object({
    prompts: losing.fields.totals.fields.prompts,
    measured: losing.fields.totals.fields.measured,
    below: count('Of those, the ones whose answers name the brand less often than the limit'),
  }),
  prompts: list(seldomPrompt, 'The least presence first, then the most answers'),
});
export type Seldom = Infer<typeof seldom>;

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
  const { prompts, coverage } = await readPrompts(svc, options, days);
  const rare = prompts.filter(({ presence_rate }) => presence_rate !== null && presence_rate < below);
  const covered = new Map(coverage.prompts.map((each) => [each.prompt_id, each]));
  const details = rare.length === 0 ? undefined : await readDetails(svc, options, days);
  const isBrand = (name: string) => name.toLowerCase() === coverage.brand.name.toLowerCase();
  const rows = rare.map((each): SeldomPrompt => {
    const {
      run_count,
      winner: cited,
      winner_citations,
      own_page,
    } = rowOf(each, covered.get(each.id), undefined);
    const [name, answers] = details?.get(each.id)?.names.ranked.find(([one]) => !isBrand(one)) ?? [];
    return {
      ...{ prompt_id: each.id, text: each.text, run_count, presence_rate: each.presence_rate },
      ...{ winner: name ?? null, winner_answers: answers ?? null },
      ...{ cited, cited_citations: winner_citations, own_page },
    };
  });
  return {
    ...extentOfPrompts(coverage),
    totals: { prompts: prompts.length, measured: prompts.filter(isMeasured).length, below: rare.length },
    prompts: rows.sort((a, b) => a.presence_rate! - b.presence_rate! || b.run_count - a.run_count),
  };
}

// One prompt in all reads that have data about it.

export const promptEngine = object({
  engine: answer.fields.engine,
  answers: count('Answers of the engine'),
  with_brand: count('Of those, the ones that mention the brand'),
});
const promptName = object({
  name: mention.fields.name,
  is_brand: flag('The name of the brand itself'),
  answers: count('Answers that mention it'),
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
export const onePrompt = object({
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
});
export type OnePrompt = Infer<typeof onePrompt>;
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
  const answers: Answer[] = [];
  // A server before slices sends the answers to every prompt.
  for await (const row of svc.answers.list({ ...days, prompt: id }, options))
    if (row.prompt_id === id) answers.push(row);
  const { fanouts } = await searching;
  return {
    brand,
    prompt: found,
    window,
    measured,
    answers: answers.length,
    engines: enginesOf(answers),
    names: namesOf(answers, brand.name),
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

/** Names as answers wrote them; an answer counts once for a name, at its first rank. */
function namesOf(answers: readonly Answer[], brand: string): OnePrompt['names'] {
  const ranks = new Map<string, number[]>();
  for (const { mentions } of answers) {
    const first = new Map([...mentions].reverse().map((each) => [each.name, each.order]));
    for (const [name, order] of first) itemOf(ranks, name, () => []).push(order);
  }
  const rows = [...ranks].map(([name, orders]) => ({
    name,
    is_brand: name.toLowerCase() === brand.toLowerCase(),
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
