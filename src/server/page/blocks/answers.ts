/** The newest answers to a prompt, with the brand and its rivals marked. */

import type { Answer } from '../../../contract/reads/answers.js';
import type { Competitor } from '../../../contract/reads/competitors.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { aboutOf, day, engineName, externalLink, truncated, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const ANSWERS: Card = { id: 'answers', title: 'Newest answers', wide: true };

const MAX_CITATIONS = 8;

/** @param entities The brand and its rivals, which are marked. */
export const answerCards = (
  read: Loaded<'answers'>,
  entities: readonly Pick<Competitor, 'name' | 'is_brand'>[],
): Markup =>
  card(
    { ...ANSWERS, about: aboutOf(read.body), read },
    read.body.answers.length === 0
      ? empty('No answer to this prompt was collected in this window.')
      : html`<ul class="answers">${read.body.answers.map((answer, at) => answerOf(answer, at, entities))}</ul>`,
  );

function answerOf(answer: Answer, at: number, entities: Parameters<typeof answerCards>[1]): Markup {
  const names = entities.map(({ name, is_brand }): Named => ({ name, isOwn: is_brand }));
  const evidence = answer.mentions.filter((mention) => mention.evidence !== null);
  const cited = answer.citations.slice(0, MAX_CITATIONS);
  return html`<li>
    <h3>${engineName(answer.engine)} <small><time datetime=${answer.date}>${day(answer.date)}</time> · ${userText(answer.region, 12)}${answer.model === '' ? '' : html` · ${userText(answer.model, 40)}`}</small></h3>
    <p>${answer.brand_present ? 'Names the brand.' : 'Does not name the brand.'}</p>
    ${answer.mentions.length === 0 ? null : html`<ol class="named">${answer.mentions.map((mention, place) => html`<li>${numberField(`answers.${at}.mentions.${place}.order`, mention.order)} ${marked(mention.name, names)}${mention.sentiment === null ? '' : html` <small>${mention.sentiment}</small>`}</li>`)}</ol>`}
    ${evidence.map((mention) => html`<blockquote class=${mention.sentiment}><p>“${marked(mention.evidence!, names)}”</p><footer>about ${userText(mention.name, 60)}</footer></blockquote>`)}
    ${cited.length === 0 ? null : html`<ul class="cites">${cited.map(({ url, domain }) => html`<li>${externalLink(url, domain, 60)}</li>`)}${answer.citations.length > cited.length ? html`<li>and more</li>` : null}</ul>`}
  </li>`;
}

// Names marked in a text.

interface Named {
  readonly name: string;
  /** The brand itself; false: a rival. */
  readonly isOwn: boolean;
}

const MAX_LENGTH = 400;

/** The text with the names in it marked. Case does not matter; of names that overlap the first and longest is marked. */
export function marked(text: string, names: readonly Named[]): Markup {
  const line = truncated(text, MAX_LENGTH);
  const folded = line.toLowerCase();
  const parts: Markup[] = [];
  let from = 0;
  // Folding may change the length of a text: then positions do not fit, and nothing is marked.
  while (folded.length === line.length && from < line.length) {
    const next = firstName(folded, from, names);
    if (!next) break;
    const end = next.at + next.length;
    parts.push(
      line.slice(from, next.at),
      html`<mark class=${next.isOwn ? 'own' : 'rival'}>${line.slice(next.at, end)}</mark>`,
    );
    from = end;
  }
  return html`<bdi>${parts}${line.slice(from)}</bdi>`;
}

function firstName(folded: string, from: number, names: readonly Named[]) {
  let first: { at: number; length: number; isOwn: boolean } | undefined;
  for (const { name, isOwn } of names) {
    const at = name === '' ? -1 : folded.indexOf(name.toLowerCase(), from);
    const { length } = name;
    if (at < 0) continue;
    if (!first || at < first.at || (at === first.at && length > first.length)) first = { at, length, isOwn };
  }
  return first;
}
