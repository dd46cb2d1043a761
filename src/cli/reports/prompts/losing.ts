/** The prompts whose answers never mention the brand, and who is cited or named there instead. */
import { blendedEngineIds } from '../../../contract/engines.js';
import { brandRef } from '../../../contract/read.js';
import { citationWinner, contentCoverage } from '../../../contract/reads/content-coverage.js';
import { prompt } from '../../../contract/reads/prompts.js';
import { source } from '../../../contract/reads/sources.js';
import type { BodyOf } from '../../../contract/registry.js';
import { count, type Infer, list, nullable, object, text } from '../../../contract/schema.js';
import type { CallOptions } from '../../../sdk/call-options.js';
import type { SvcClient } from '../../../sdk/client.js';
import { promptState } from '../../../sdk/null-states.js';
import { type Days, lastDays } from '../../render/today.js';
import { counted, grouped } from '../../render/view.js';
import { itemOf, Tally } from './tally.js';

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

/**
 * Joins the prompts with their coverage: two requests. With `pages` the answers of the window too, a request for each page.
 * All are of the same days.
 * @throws SvcError of the first request that fails.
 */
export async function readLosing(
  svc: SvcClient,
  pages: boolean,
  options: CallOptions,
  days: Days = lastDays(),
): Promise<Losing> {
  const [{ brand, prompts }, coverage] = await Promise.all([
    svc.prompts.top(days, options),
    svc.tools.call('get_content_coverage', days, options),
  ]);
  const measured = prompts.filter((each) => promptState(each) !== 'never_sampled');
  const lost = measured.filter((each) => promptState(each) === 'absent');
  const covered = new Map(coverage.prompts.map((each) => [each.prompt_id, each]));
  const details = pages && lost.length > 0 ? await readDetails(svc, options, days) : undefined;
  const rows = lost.map((each) => rowOf(each, covered.get(each.id), details?.get(each.id)));
  return {
    brand,
    window_days: coverage.window_days,
    window: coverage.window,
    measured: coverage.measured,
    totals: { prompts: prompts.length, measured: measured.length, losing: lost.length },
    prompts: rows.sort((a, b) => (b.winner_citations ?? -1) - (a.winner_citations ?? -1)),
  };
}

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
