/** The page of one answer: its text, and the answer before. */
import type { VNode } from 'preact';
import { errors } from '../../../contract/errors.js';
import { PAGE_LIMIT } from '../../../contract/limits.js';
import type { FullAnswer } from '../../../contract/reads/answer.js';
import type { Answer } from '../../../contract/reads/answers.js';
import type { ReadName } from '../../../contract/registry.js';
import { addDays } from '../../base/days.js';
import { refuse } from '../../base/errors.js';
import { citations, collected, names, searched, texts, wrongClaims } from './blocks/answer.js';
import { type BrandPage, FRAME_READS, framed, loading } from './frame.js';
import { html } from './html.js';
import { loadedOr } from './parts/card.js';
import { day, engineName, truncated, userText } from './parts/text.js';
import { answerPath } from './paths.js';
import type { Loaded, PageReads } from './reads.js';
import { canFilterBy } from './slice.js';

export const ANSWER_READS: readonly ReadName[] = [...FRAME_READS, 'answer', 'answers'];

/** @throws 404 for an answer that the brand does not have. */
export async function answerPage(given: BrandPage, run: string): Promise<VNode> {
  const page = loading(given, answerPath(given.reads.brand.id, run));
  const { reads, leads } = page;
  const { brand } = reads;
  if (!brand.hasRuns) throw refuse(errors.notFound());
  const read = await reads.load('answer', { run_id: run });
  const { answer } = read.body;
  const [before, after, checked, { body: active }] = await Promise.all([
    answerBefore(reads, answer),
    answerAfter(reads, answer),
    // The facts are not for the viewers of links.
    page.isViewer ? null : reads.loadIfPossible('fact-check'),
    reads.load('prompts'),
  ]);
  const check = loadedOr(null, checked);
  const wrong = check?.body.fact_check?.discrepancies.filter(({ run_id }) => run_id === run) ?? [];
  const isActive = active.prompts.some(({ id }) => id === answer.prompt_id);
  return framed(
    page,
    {
      title: `${truncated(answer.prompt, 60)} · ${engineName(answer.engine)} · ${truncated(brand.name, 40)}`,
      path: answerPath(brand.id, run),
      tab: 'answers',
    },
    html`
    <div class="title">
      <h1>${userText(answer.prompt)}</h1>
      ${collected(read.body, leads)}
      <p>${isActive ? html`<a href=${leads.prompt(answer.prompt_id)}>The prompt and all answers to it</a>` : 'The prompt is not active any more.'}${after === null ? null : html` · <a href=${leads.answer(after.id)}>The answer after, <time datetime=${after.date}>${day(after.date)}</time></a>`}</p>
    </div>
    <div class="cards">${check && wrongClaims(check, wrong, leads)}${texts(read, before, wrong, leads)}</div>
    <div class="cards two">${names(read, leads)} ${citations(read, leads)} ${searched(read)}</div>`,
  );
}

/** Days in which an earlier answer is looked for: first all that a request may have, then those of a brand with pruned runs. */
const DAYS_BEFORE = [365, 28] as const;

/** The newest answer of an earlier day to the same prompt, on the same engine and region; a text: why it is not known. */
async function answerBefore(
  reads: PageReads,
  { date, prompt_id, engine, region }: FullAnswer,
): Promise<Loaded<'answer'> | null | string> {
  if (!canFilterBy(region)) return 'It cannot be looked for: no filter can name the region of this answer.';
  let refused = '';
  for (const days of DAYS_BEFORE) {
    const [from, to] = [addDays(date, -days), addDays(date, -1)];
    const found = await reads.loadIfPossible('answers', {
      from,
      to,
      engine,
      region,
      prompt: prompt_id,
      limit: '1',
    });
    if (!('refused' in found)) {
      const [earlier] = found.body.answers;
      return earlier ? reads.load('answer', { run_id: earlier.id }) : null;
    }
    refused = found.refused;
  }
  return refused;
}

/** Days in which a later answer is looked for. */
const DAYS_AFTER = 28;

/** The oldest answer of a later day to the same prompt, on the same engine and region; null: none, or not known. */
async function answerAfter(
  reads: PageReads,
  { date, prompt_id, engine, region }: FullAnswer,
): Promise<Answer | null> {
  if (date >= reads.today) return null;
  const last = addDays(date, DAYS_AFTER);
  const found = await reads.loadIfPossible('answers', {
    from: addDays(date, 1),
    to: last < reads.today ? last : reads.today,
    engine,
    region,
    prompt: prompt_id,
    limit: String(PAGE_LIMIT.maximum),
  });
  return 'refused' in found ? null : (found.body.answers.at(-1) ?? null);
}
