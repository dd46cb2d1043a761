/** One answer: its text next to that of the answer before, the names in it, what it cites and searched for. */
import { label, title } from '../../../../contract/glossary.js';
import { type FullAnswer, NO_SEARCH_STATED } from '../../../../contract/reads/answer.js';
import type { Mention } from '../../../../contract/reads/answers.js';
import type { Discrepancy } from '../../../../contract/reads/fact-check.js';
import type { Surface } from '../../../../contract/surfaces.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { answerText, citationAnchor, legend, whoseName } from '../parts/answer-text.js';
import { card, empty, noteOf } from '../parts/card.js';
import { numberField } from '../parts/numbers.js';
import { day, engineName, externalLink, longDay, regionName, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

const MAX_MENTIONS = 40;
const MAX_CITATIONS = 30;
const MAX_SEARCHES = 20;
/** Bytes of the markup of the text, and of that of the answer before. */
const TEXT_BYTES = { newer: 48_000, before: 24_000 } as const;

/** How an answer was collected, in words. */
const collectedBy: Readonly<Record<Surface, string>> = {
  api: 'by the API of the vendor, not in the product that people use',
  ui: 'in the product as people use it',
  serp: 'from the result page of a search engine',
};
const surfaceWords = (surface: string): string =>
  Object.hasOwn(collectedBy, surface) ? collectedBy[surface as Surface] : surface;

type Read = Loaded<'answer'>;

/** How many citations are listed, which numbers in the text lead to. */
const listed = (answer: FullAnswer): number => Math.min(answer.citations.length, MAX_CITATIONS);

/**
 * @param before The newest answer of an earlier day to the same prompt, on the same engine and region; null: there is none;
 * a text: why it is not known.
 * @param wrong What a fact check found in it.
 */
export function texts(
  read: Read,
  before: Read | null | string,
  wrong: readonly Discrepancy[],
  leads: Leads,
): Markup {
  const { body, source } = read;
  const { answer, brand } = body;
  return card(
    { id: 'text', title: 'What the engine answered', source },
    html`${answer.text === null ? null : legend(brand.name, wrong.length > 0)}
    <div class="pair">
      <div>${textOf(read, 'newer', wrong)}</div>
      <div class="before" id="before">
        <h3>The answer before</h3>
        ${
          before === null
            ? empty('There is no answer of an earlier day to this prompt on this engine and in this region.')
            : typeof before === 'string'
              ? empty(before)
              : earlier(answer, before, leads)
        }
      </div>
    </div>
    ${before === null || typeof before === 'string' ? null : differences(answer, before.body.answer)}`,
  );
}

function textOf(
  { body, files }: Read,
  which: keyof typeof TEXT_BYTES,
  wrong: readonly Discrepancy[] = [],
): Markup {
  const { answer } = body;
  if (answer.text === null) return noteOf(body);
  if (answer.text.trim() === '') return empty('The engine answered with an empty text.');
  const room = {
    bytes: TEXT_BYTES[which],
    listed: which === 'newer' ? listed(answer) : 0,
    file: files?.json,
    claims: wrong.map(({ claim }) => claim),
  };
  return answerText(answer, answer.text, room);
}

/** What a fact check found wrong in the answer; null: nothing. */
export const wrongClaims = (
  { source, body }: Loaded<'fact-check'>,
  wrong: readonly Discrepancy[],
  leads: Leads,
): Markup =>
  wrong.length === 0
    ? null
    : card(
        {
          id: 'wrong-claims',
          title: 'What is wrong in it',
          source,
          about: html`by your facts, <a href=${leads.tab('facts')}>checked ${day(body.fact_check!.checked_at)}</a>`,
        },
        html`<ul class="plain">${wrong.map(({ claim, truth }) => html`<li>“${userText(claim, 300)}” <small class="under">Truth: ${userText(truth, 300)}</small></li>`)}</ul>`,
      );

function earlier(newer: FullAnswer, read: Read, leads: Leads): Markup {
  const { answer } = read.body;
  const model = (each: FullAnswer) => (each.model === '' ? 'unknown' : each.model);
  return html`
    <p><a href=${leads.answer(answer.id)}><time datetime=${answer.date}>${longDay(answer.date)}</time></a>${model(answer) === model(newer) ? '' : html`, model ${userText(model(answer), 60)}`}</p>
    ${textOf(read, 'before')}`;
}

/** What differs in names and pages. */
function differences(newer: FullAnswer, before: FullAnswer): Markup {
  const found = [
    difference('Named now, not before', namesOf(newer), namesOf(before), plain),
    difference('Named before, not now', namesOf(before), namesOf(newer), plain),
    difference('Cited now, not before', pagesOf(newer), pagesOf(before), page),
    difference('Cited before, not now', pagesOf(before), pagesOf(newer), page),
  ].filter((each) => each !== null);
  return html`<h3>What differs from the answer before</h3>
    ${found.length === 0 ? empty('Nothing in names and pages: both mention the same names and cite the same pages.') : html`<ul class="plain" id="differences">${found}</ul>`}`;
}

/** What an answer has, by what makes it the same in another one. */
type Things = ReadonlyMap<string, string>;

/** The names: an entity under another of its names is the same. */
const namesOf = ({ mentions }: FullAnswer): Things =>
  new Map(
    mentions.map(({ entity, name }) => [
      entity === null ? `name ${name.toLowerCase()}` : `id ${entity}`,
      name,
    ]),
  );
const pagesOf = ({ citations }: FullAnswer): Things => new Map(citations.map(({ url }) => [url, url]));

const plain = (name: string): Markup => userText(name, 60);
const page = (url: string): Markup => externalLink(url, url, 80);

const MAX_DIFFERENT = 12;

function difference(words: string, of: Things, without: Things, show: (text: string) => Markup): Markup {
  const only = [...of].filter(([key]) => !without.has(key)).map(([, text]) => text);
  if (only.length === 0) return null;
  const rest = only.length - MAX_DIFFERENT;
  return html`<li>${words}: ${only.slice(0, MAX_DIFFERENT).map((text, at) => html`${at === 0 ? '' : ', '}${show(text)}`)}${rest > 0 ? ` and ${rest} more` : ''}</li>`;
}

/** The names that the answer mentions, with their tone. */
export function names({ body: { answer, brand }, source }: Read, leads: Leads): Markup {
  const { mentions } = answer;
  const rest = mentions.length - MAX_MENTIONS;
  return card(
    { id: 'names', title: 'Names in this answer', source },
    html`<p>${answer.brand_present ? 'It names the brand.' : 'It does not name the brand.'}</p>
    ${mentions.length === 0 ? empty('It mentions no name.') : html`<ol class="plain">${mentions.slice(0, MAX_MENTIONS).map((mention, at) => mentionOf(mention, at, brand.id, leads))}</ol>`}
    ${rest > 0 ? html`<p class="foot">And ${rest} more.</p>` : null}`,
  );
}

function mentionOf(mention: Mention, at: number, brand: string, leads: Leads): Markup {
  const { name, order, sentiment, evidence, entity } = mention;
  const whose = whoseName({ entity, is_brand: entity === brand });
  const words = { own: 'the brand', rival: 'competitor', other: 'not tracked' }[whose];
  const target = whose === 'own' ? leads.brand : whose === 'rival' ? leads.competitor(entity!) : null;
  const shown = html`<mark class=${whose}>${userText(name, 60)}</mark>`;
  return html`<li>${numberField(`answer.answer.mentions.${at}.order`, order)}. ${target === null ? shown : html`<a href=${target}>${shown}</a>`}
    ${' '}<small>${words}, ${sentiment === null ? `${label('tone')} not scored` : `${sentiment} ${label('tone')}`}</small>
    ${evidence === null ? null : html`<blockquote class=${sentiment}><p>“${userText(evidence, 300)}”</p></blockquote>`}</li>`;
}

/** The pages that the answer cites, in captured order. */
export function citations({ body: { answer }, source }: Read, leads: Leads): Markup {
  const rest = answer.citations.length - MAX_CITATIONS;
  return card(
    { id: 'citations', title: 'Pages that it cites', source },
    answer.citations.length === 0
      ? empty('It cites no page.')
      : html`<ol class="plain">${answer.citations
          .slice(0, MAX_CITATIONS)
          .map(
            ({ url, title: name, domain, position }, at) =>
              html`<li id=${citationAnchor(position)}>${numberField(`answer.answer.citations.${at}.position`, position)}. ${externalLink(url, name ?? url, 120)}${domain === '' ? '' : html`<small class="under"><a href=${leads.domain(domain)}>${userText(domain, 60)}</a></small>`}</li>`,
          )}</ol>
        ${rest > 0 ? html`<p class="foot">And ${rest} more in the API.</p>` : null}`,
  );
}

/** What the engine searched the web for. */
export function searched({ body: { answer }, source }: Read): Markup {
  const rest = answer.searches.length - MAX_SEARCHES;
  return card(
    { id: 'searches', title: title('searches'), source },
    answer.searches.length === 0
      ? empty(NO_SEARCH_STATED)
      : html`<ol class="plain">${answer.searches.slice(0, MAX_SEARCHES).map((query) => html`<li>${userText(query, 160)}</li>`)}</ol>
        ${rest > 0 ? html`<p class="foot">And ${rest} more.</p>` : null}`,
  );
}

/** When, where and how it was collected. */
export const collected = ({ answer }: Read['body'], leads: Leads): Markup => html`
  <p class="domain"><a href=${leads.only('engine', answer.engine)!}>${engineName(answer.engine)}</a>, <time datetime=${answer.collected_at}>${day(answer.date)}</time> · ${regionName(answer.region)} · ${answer.model === '' ? 'model unknown' : userText(answer.model, 60)}${answer.surface === null ? null : html` · collected ${userText(surfaceWords(answer.surface), 80)}`}</p>`;
