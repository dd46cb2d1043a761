/** One prompt in all reads that have data about it. */
import { brandRef } from '../../../contract/read.js';
import { answer, mention } from '../../../contract/reads/answers.js';
import { fanout } from '../../../contract/reads/fanouts.js';
import { prompt } from '../../../contract/reads/prompts.js';
import type { BodyOf, RowOf } from '../../../contract/registry.js';
import { count, flag, type Infer, list, number, object, text } from '../../../contract/schema.js';
import { measuredDays, measuredWindow } from '../../../contract/slice.js';
import type { CallOptions } from '../../../sdk/call-options.js';
import type { SvcClient } from '../../../sdk/client.js';
import { CommandError } from '../../failure/command-error.js';
import { suggestion } from '../../failure/suggestion.js';
import { lastDays } from '../../render/today.js';
import { itemOf, Tally } from './tally.js';

export const promptEngine = object({
  engine: answer.fields.engine,
  answers: count('Answers of the engine'),
  with_brand: count('Of those, the ones that mention the brand'),
});
export const promptName = object({
  name: mention.fields.name,
  is_brand: flag('The name of the brand itself'),
  answers: count('Answers that mention it'),
  avg_position: number('Mean 1-based rank in them'),
});
export const promptPage = object({
  url: text('Canonical cited URL'),
  domain: text('Its domain'),
  citations: count('Citations in answers to the prompt'),
});
export const promptQuote = object({
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
export async function readPrompt(svc: SvcClient, id: string, options: CallOptions): Promise<OnePrompt> {
  const days = lastDays();
  const { brand, prompts, window, measured } = await svc.prompts.top(days, options);
  const found = prompts.find((each) => each.id === id) ?? unknown(id, prompts);
  const searching = svc.tools.call('list_fanouts', days, options);
  // Its failure is reported below, also if it comes first.
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
