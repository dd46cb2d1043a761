/** Lists of answers, with the brand and its rivals marked. */

import type { Answer } from '../../../../contract/reads/answers.js';
import { tones } from '../../../../contract/reads/answers.js';
import type { Competitor } from '../../../../contract/reads/competitors.js';
import { spansOf } from '../../../answers/reads/answer-spans.js';
import type { Loading } from '../frame.js';
import { html, type Markup } from '../html.js';
import type { Leads, Said } from '../leads.js';
import { type Card, card, empty, loadedOr, noteOf } from '../parts/card.js';
import { numberField, whole } from '../parts/numbers.js';
import {
  aboutOf,
  day,
  engineName,
  externalLink,
  noun,
  regionName,
  truncated,
  userText,
} from '../parts/text.js';
import type { Loaded, Withheld } from '../reads.js';
import { queryOf } from '../slice.js';

export const ANSWERS: Card = { id: 'answers', title: 'Answers' };

/** Answers of a page. */
const PAGE_ROWS = 50;
const MAX_CITATIONS = 6;

/** What the names in answers are found by. */
export interface Known {
  readonly entities: readonly Pick<Competitor, 'id' | 'name' | 'is_brand'>[];
  readonly promptOf: ReadonlyMap<string, string>;
}

/** The tracked names, and the texts of active prompts. */
export async function knownOf({ reads }: Loading): Promise<Known> {
  const [rivals, prompts] = await Promise.all([
    reads.loadIfPossible('competitors'),
    reads.loadIfPossible('prompts'),
  ]);
  const { id, name } = reads.brand;
  return {
    entities: loadedOr(null, rivals)?.body.competitors ?? [{ id, name, is_brand: true }],
    promptOf: new Map((loadedOr(null, prompts)?.body.prompts ?? []).map((each) => [each.id, each.text])),
  };
}

const cursorOf = (body: object): string | null =>
  (body as { readonly next_cursor?: string | null }).next_cursor ?? null;

/** The newest answers of a choice, as many as given. */
export const newest = (
  { ofSlice }: Loading,
  said: Said,
  limit: number,
): Promise<Loaded<'answers'> | Withheld> =>
  ofSlice.loadIfPossible('answers', { ...filled(said), limit: String(limit) });

const filled = (said: Said): Record<string, string> =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;

/** Without a filter they are those of the totals, whose engines need no names. */
const aboutAnswers = ({ slice }: Loading, body: Loaded<'answers'>['body']): string | null =>
  aboutOf(slice.engine === undefined ? { ...body, slice: null } : body);

/** The answers that the address chooses, and the form that chooses others. */
export async function answersOf(page: Loading): Promise<Markup> {
  const { ofSlice, view, here } = page;
  const { cites, names, without, tone, cursor } = view;
  const said = { cites, names, without, tone };
  const [read, known] = await Promise.all([
    ofSlice.loadIfPossible('answers', {
      ...filled(said),
      ...(cursor && { cursor }),
      limit: String(PAGE_ROWS),
    }),
    knownOf(page),
  ]);
  if ('refused' in read) return card(ANSWERS, empty(read.refused));
  const { body } = read;
  const { total } = body;
  const next = cursorOf(body);
  const count = total === null ? null : html`${numberField('answers.total', total)} ${noun(total, 'answer')}`;
  return card(
    { ...ANSWERS, heading: count, about: aboutAnswers(page, body), read },
    html`${saidForm(page, known)}
    ${body.answers.length === 0 ? html`${empty('No answer is like this.')}${noteOf(body)}` : answerList(body.answers, known, page.leads)}
    ${cursor === undefined && next === null ? null : html`<p class="foot pages">${cursor === undefined ? null : html`<a href=${here(filled(said))}>The newest</a> `}${next === null ? null : html`<a href=${here({ ...filled(said), cursor: next })}>The next ${PAGE_ROWS}</a>`}</p>`}`,
  );
}

/** The form of what answers say and cite. */
function saidForm({ view, slice, here }: Loading, { entities }: Known): Markup {
  const [path] = here({}).split('?');
  const choice = (name: 'names' | 'without', label: string) => {
    const chosen = view[name];
    const isListed = chosen === undefined || entities.some(({ id }) => id === chosen);
    return html`<span class="field"><label for=${name}>${label}</label><select id=${name} name=${name}>
      <option value="" selected=${chosen === undefined}>–</option>
      ${isListed ? null : html`<option value=${chosen} selected>${chosen.split(',').length} names</option>`}
      ${entities.map(({ id, name: text }) => html`<option value=${id} selected=${chosen === id}>${truncated(text, 40)}</option>`)}
    </select></span>`;
  };
  return html`<form class="said" method="get" action=${path}>
    <span class="field"><label for="cites">Cites</label><input id="cites" name="cites" value=${view.cites ?? ''} placeholder="domain or address" /></span>
    ${choice('names', 'Names')}${choice('without', 'Does not name')}
    <span class="field"><label for="tone">Tone</label><select id="tone" name="tone">
      <option value="" selected=${view.tone === undefined}>–</option>
      ${tones.map((tone) => html`<option value=${tone} selected=${view.tone === tone}>${tone}</option>`)}
    </select></span>
    ${Object.entries(queryOf(slice)).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    <button type="submit">Show</button>
  </form>`;
}

/** Answers in short: which, on which prompt, and its excerpt. */
export function answerList(answers: readonly Answer[], { entities, promptOf }: Known, leads: Leads): Markup {
  // Of one prompt, the page says which.
  const isOfOne = answers.length > 1 && answers.every((each) => each.prompt_id === answers[0]!.prompt_id);
  return html`<ul class="answers">${answers.map((answer) => {
    const prompt = isOfOne ? undefined : promptOf.get(answer.prompt_id);
    const cited = answer.citations.slice(0, MAX_CITATIONS);
    const own = answer.mentions.find(({ entity, evidence }) => entity === leads.brandId && evidence !== null);
    return html`<li>
    <h3><a href=${leads.answer(answer.id)}>${engineName(answer.engine)}, <time datetime=${answer.date}>${day(answer.date)}</time></a> <small>${regionName(answer.region)} · ${answer.brand_present ? 'names you' : 'does not name you'}${own?.sentiment == null ? '' : html` · <span class=${`tone ${own.sentiment}`}>${own.sentiment}</span>`}</small></h3>
    ${prompt === undefined ? null : html`<p class="hint"><a href=${leads.prompt(answer.prompt_id)}>${userText(prompt, 140)}</a></p>`}
    ${
      own
        ? html`<blockquote class=${own.sentiment}><p>“${marked(own.evidence!, entities)}”</p></blockquote>`
        : answer.excerpt === null
          ? empty('Its text was not collected.')
          : answer.excerpt.trim() === ''
            ? null
            : html`<p class="excerpt">${marked(answer.excerpt, entities)}</p>`
    }
    ${cited.length === 0 ? null : html`<p class="cites">${cited.map(({ url, domain }, at) => html`${at === 0 ? '' : ' · '}${externalLink(url, domain, 60)}`)}${answer.citations.length > cited.length ? ` and ${answer.citations.length - cited.length} more` : ''}</p>`}
  </li>`;
  })}</ul>`;
}

const MAX_SHORT = 12;

/** The newest answers of a choice, and the way to all of them. */
export async function someAnswers(
  page: Loading,
  of: Card,
  said: Said,
  filters: Parameters<Leads['answers']>[1] = {},
): Promise<Markup> {
  const [read, known] = await Promise.all([newest(page, said, MAX_SHORT), knownOf(page)]);
  if ('refused' in read) return card(of, empty(read.refused));
  const { total } = read.body;
  const href = page.leads.answers(said, filters);
  const isMore = cursorOf(read.body) !== null;
  return card(
    { ...of, about: aboutAnswers(page, read.body), read },
    read.body.answers.length === 0
      ? html`${empty('None in these days.')}${noteOf(read.body)}`
      : html`${answerList(read.body.answers, known, page.leads)}
        ${isMore && href !== null ? html`<p class="foot"><a href=${href}>${total === null ? 'All answers' : `All ${whole(total)} answers`}</a></p>` : null}`,
  );
}

// Names marked in a text.

interface Named {
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
