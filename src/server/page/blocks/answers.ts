/** Of a prompt: its newest answers, with the brand and its rivals marked. */

import { PAGE_LIMIT } from '../../../contract/limits.js';
import type { Answer } from '../../../contract/reads/answers.js';
import type { Competitor } from '../../../contract/reads/competitors.js';
import { html, type Markup } from '../html.js';
import { card, empty } from '../parts/card.js';
import { day } from '../parts/dates.js';
import { datum } from '../parts/datum.js';
import { marked, type Named } from '../parts/marked.js';
import { engineName } from '../parts/names.js';
import { outside, said } from '../parts/text.js';
import type { Loaded, PageReads } from '../reads.js';

const MOST_ANSWERS = 20;
/** Pages of the read that are searched for answers to the prompt. */
const MOST_PAGES = 10;
const MOST_CITATIONS = 8;

/** An answer, its place in the page of the read, and the address of that page. */
interface Found {
  readonly answer: Answer;
  readonly at: number;
  readonly source: string;
}

/** The newest answers to a prompt. The read lists those to all prompts, so it is read in pages. */
export async function newestAnswers(reads: PageReads, prompt: string): Promise<Found[]> {
  const found: Found[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < MOST_PAGES && found.length < MOST_ANSWERS && cursor !== null; page++) {
    const params = { limit: String(PAGE_LIMIT.maximum), ...(cursor ? { cursor } : {}) };
    const { body, source } = await reads.load('answers', params);
    for (const [at, answer] of body.answers.entries())
      if (answer.prompt_id === prompt) found.push({ answer, at, source });
    cursor = (body as Loaded<'answers'>['body'] & { next_cursor: string | null }).next_cursor;
  }
  return found.slice(0, MOST_ANSWERS);
}

export const answerCards = (answers: readonly Found[], entities: readonly Competitor[]): Markup =>
  card(
    { id: 'answers', title: 'Newest answers', about: 'What each engine named and cited', wide: true },
    answers.length === 0
      ? empty('No answer to this prompt was collected lately.')
      : html`<ul class="answers">${answers.map((found) => answerOf(found, entities))}</ul>`,
  );

function answerOf({ answer, at, source }: Found, entities: readonly Competitor[]): Markup {
  const names = entities.map(({ name, is_brand }): Named => ({ name, isOwn: is_brand }));
  const evidence = answer.mentions.filter((mention) => mention.evidence !== null);
  const cited = answer.citations.slice(0, MOST_CITATIONS);
  return html`<li data-source=${source}>
    <h3>${engineName(answer.engine)} <small><time datetime=${answer.date}>${day(answer.date)}</time> · ${said(answer.region, 12)}${answer.model === '' ? '' : html` · ${said(answer.model, 40)}`}</small></h3>
    <p>${answer.brand_present ? 'Names the brand.' : 'Does not name the brand.'}</p>
    ${answer.mentions.length === 0 ? null : html`<ol class="named">${answer.mentions.map((mention, place) => html`<li>${datum(`answers.${at}.mentions.${place}.order`, mention.order)} ${marked(mention.name, names)}${mention.sentiment === null ? '' : html` <small>${mention.sentiment}</small>`}</li>`)}</ol>`}
    ${evidence.map((mention) => html`<blockquote class=${mention.sentiment}><p>“${marked(mention.evidence!, names)}”</p><footer>about ${said(mention.name, 60)}</footer></blockquote>`)}
    ${cited.length === 0 ? null : html`<ul class="cites">${cited.map(({ url, domain }) => html`<li>${outside(url, domain, 60)}</li>`)}${answer.citations.length > cited.length ? html`<li>and more</li>` : null}</ul>`}
  </li>`;
}
