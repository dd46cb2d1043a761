/** The newest answers to a prompt, with the brand and its rivals marked. */

import type { Answer, Mention } from '../../../../contract/reads/answers.js';
import { spansOf } from '../../../answers/reads/answer-spans.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { aboutOf, day, engineName, externalLink, truncated, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const ANSWERS: Card = { id: 'answers', title: 'Newest answers', wide: true };

const MAX_CITATIONS = 8;
const MAX_MENTIONS = 15;
const MAX_QUOTES = 4;

/** @param names The brand and its rivals, which are marked. */
export const answerCards = (read: Loaded<'answers'>, names: readonly Named[], leads: Leads): Markup =>
  card(
    { ...ANSWERS, about: aboutOf(read.body), read },
    read.body.answers.length === 0
      ? empty('No answer to this prompt was collected in this window.')
      : html`<ul class="answers">${read.body.answers.map((answer, at) => answerOf(answer, at, names, leads))}</ul>`,
  );

function answerOf(answer: Answer, at: number, names: readonly Named[], leads: Leads): Markup {
  const evidence = answer.mentions.filter((mention) => mention.evidence !== null);
  const rest = answer.mentions.length - MAX_MENTIONS;
  const cited = answer.citations.slice(0, MAX_CITATIONS);
  return html`<li>
    <h3><a href=${leads.answer(answer.id)}>${engineName(answer.engine)}, <time datetime=${answer.date}>${day(answer.date)}</time></a> <small>${userText(answer.region, 12)}${answer.model === '' ? '' : html` · ${userText(answer.model, 40)}`}</small></h3>
    ${excerptOf(answer, names)}
    <p>${answer.brand_present ? 'Names the brand.' : 'Does not name the brand.'}</p>
    ${answer.mentions.length === 0 ? null : html`<ol class="named">${answer.mentions.slice(0, MAX_MENTIONS).map((mention, place) => html`<li>${numberField(`answers.${at}.mentions.${place}.order`, mention.order)} ${nameOf(mention, names, leads)}${mention.sentiment === null ? '' : html` <small>${mention.sentiment}</small>`}</li>`)}${rest > 0 ? html`<li><a href=${leads.answer(answer.id)}>and ${rest} more</a></li>` : null}</ol>`}
    ${evidence.slice(0, MAX_QUOTES).map((mention) => html`<blockquote class=${mention.sentiment}><p>“${marked(mention.evidence!, names)}”</p><footer>about ${userText(mention.name, 60)}, <a href=${leads.answer(answer.id)}>in this answer</a></footer></blockquote>`)}
    ${cited.length === 0 ? null : html`<ul class="cites">${cited.map(({ url, domain }) => html`<li>${externalLink(url, domain, 60)}</li>`)}${answer.citations.length > cited.length ? html`<li>and more</li>` : null}</ul>`}
  </li>`;
}

/** A name; that of a competitor leads to it. */
function nameOf({ name, entity }: Mention, names: readonly Named[], leads: Leads): Markup {
  const shown = marked(name, names);
  return entity === null || entity === leads.brandId
    ? shown
    : html`<a href=${leads.competitor(entity)}>${shown}</a>`;
}

const excerptOf = ({ excerpt }: Answer, names: readonly Named[]): Markup =>
  excerpt === null || excerpt.trim() === '' ? null : html`<p class="excerpt">${marked(excerpt, names)}</p>`;

/**
 * Answers in short: which, on which prompt, and its excerpt.
 * @param promptOf The text of a prompt; undefined: it is not active.
 */
export const answerList = (
  answers: readonly Answer[],
  names: readonly Named[],
  promptOf: ReadonlyMap<string, string>,
  leads: Leads,
): Markup =>
  html`<ul class="answers short">${answers.map((answer) => {
    const prompt = promptOf.get(answer.prompt_id);
    return html`<li>
    <h3><a href=${leads.answer(answer.id)}>${engineName(answer.engine)}, <time datetime=${answer.date}>${day(answer.date)}</time></a> <small>${userText(answer.region, 12)} · ${answer.brand_present ? 'names the brand' : 'does not name the brand'}</small></h3>
    ${prompt === undefined ? null : html`<p class="hint"><a href=${leads.prompt(answer.prompt_id)}>${userText(prompt, 140)}</a></p>`}
    ${answer.excerpt === null ? empty('Its text was not collected.') : excerptOf(answer, names)}
  </li>`;
  })}</ul>`;

// Names marked in a text.

export interface Named {
  readonly name: string;
  /** The brand itself; false: a rival. */
  readonly is_brand: boolean;
}

const MAX_LENGTH = 400;

/** The text with the names in it marked, as the spans of an answer mark them. */
export function marked(text: string, names: readonly Named[]): Markup {
  const line = truncated(text, MAX_LENGTH);
  const characters = [...line];
  const textOf = (from: number, to?: number) => characters.slice(from, to).join('');
  const parts: Markup[] = [];
  let from = 0;
  for (const { start, end, name } of spansOf(
    line,
    names.map((each) => each.name),
  )) {
    const whose = names[name]!.is_brand ? 'own' : 'rival';
    parts.push(textOf(from, start), html`<mark class=${whose}>${textOf(start, end)}</mark>`);
    from = end;
  }
  return html`<bdi>${parts}${textOf(from)}</bdi>`;
}
