/** A cited domain: its pages, the answers that cite it, and whom those answers name. */
import { title, valueLabel } from '../../../../contract/glossary.js';
import { CAPS } from '../../../../contract/limits.js';
import type { Answer } from '../../../../contract/reads/answers.js';
import type { Competitor } from '../../../../contract/reads/competitors.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type NewestAnswers, whichAnswers } from '../newest-answers.js';
import { type Card, card, empty } from '../parts/card.js';
import { bar, numberField, rowName, whole } from '../parts/numbers.js';
import { aboutOf, externalLink, noun, userText } from '../parts/text.js';
import type { Loaded, Withheld } from '../reads.js';
import { answerList } from './answers.js';
import { markOf } from './sources.js';

const MAX_PAGES = 20;
const MAX_ANSWERS = 20;
const MAX_NAMES = 12;

/** The label and the citations of a domain, where it is one of the most cited. */
export function domainSummary({ body, source }: Loaded<'sources'>, domain: string): Markup {
  const at = body.sources.findIndex((each) => each.domain === domain);
  const found = body.sources[at];
  return found
    ? html`<p class="domain" data-source=${source}><span class="label">${userText(valueLabel('kind', found.classification), 24)}</span> ${numberField(`sources.${rowName(domain, at)}.citations`, found.citations)} ${noun(found.citations, 'citation')}</p>`
    : html`<p class="domain">Not one of the ${CAPS.sources} most cited domains of these days.</p>`;
}

/** Its pages among the most cited ones, and others that the read answers cite. */
export function pagesOfDomain(
  urls: Loaded<'urls'>,
  domain: string,
  citing: readonly Answer[],
  read: NewestAnswers | Withheld,
): Markup {
  const { body } = urls;
  const rows = body.urls.map((page, at) => ({ ...page, at })).filter((page) => page.domain === domain);
  const known = new Set(rows.map(({ url }) => url));
  const others = counted(citing.map(({ citations }) => urlsOf(citations, domain)))
    .filter(([url]) => !known.has(url))
    .slice(0, MAX_PAGES);
  return card(
    { id: 'pages', title: 'Its pages', about: aboutOf(body), read: urls, wide: true },
    html`
    ${
      rows.length === 0
        ? empty(`None of its pages is among the ${CAPS.urls} most cited ones.`)
        : html`<div class="scroll" tabindex="0" role="group" aria-label="Its pages"><table>
        <thead><tr><th scope="col">${title('page')}</th><th scope="col" class="number">${title('citations')}</th><th scope="col" class="number">${title('before')}</th><th scope="col" class="number">${title('answers')}</th></tr></thead>
        <tbody>${rows.slice(0, MAX_PAGES).map(({ at, ...page }) => {
          const field = `urls.${rowName(page.url, at)}`;
          return html`<tr>
            <th scope="row">${externalLink(page.url, page.title ?? page.url, 120)}<small class="under">${page.title === null ? '' : userText(page.url, 120)}${page.page_type === null ? '' : ` · ${page.page_type}`}${markOf(page)}</small></th>
            <td class="number">${numberField(`${field}.citations`, page.citations)}</td>
            <td class="number">${numberField(`${field}.prior_citations`, page.prior_citations)}</td>
            <td class="number">${numberField(`${field}.answers`, page.answers)}</td>
          </tr>`;
        })}</tbody>
      </table></div>`
    }
    ${
      'refused' in read || others.length === 0
        ? null
        : html`<h3>Further pages that ${whichAnswers(read)} cite</h3>
      <ul class="plain">${others.map(([url, answers]) => html`<li>${externalLink(url, url, 120)} <small>${answers} ${noun(answers, 'answer')}</small></li>`)}</ul>`
    }`,
  );
}

const urlsOf = (citations: Answer['citations'], domain: string): string[] =>
  citations.filter((each) => each.domain === domain).map(({ url }) => url);

/** In how many of the lists each text is, the most frequent first. */
function counted(lists: readonly (readonly string[])[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const list of lists) for (const text of new Set(list)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

export const NAMED: Card = { id: 'named', title: 'Whom the answers that cite it name', wide: true };
export const CITING: Card = { id: 'answers', title: 'Answers that cite it', wide: true };

/** Whom the answers that cite it name, next to all answers that were read. */
export function namedThere(
  citing: readonly Answer[],
  read: NewestAnswers,
  entities: readonly Competitor[],
  leads: Leads,
): Markup {
  const rows = entities
    .map(({ id, name, is_brand }) => ({
      ...{ id, name, is_brand },
      there: citing.filter((answer) => names(answer, id)).length,
      anywhere: read.answers.filter((answer) => names(answer, id)).length,
    }))
    .filter(({ there, is_brand }) => is_brand || there > 0)
    .sort((a, b) => Number(b.is_brand) - Number(a.is_brand) || b.there - a.there);
  const rest = rows.length - MAX_NAMES;
  return card(
    { ...NAMED, about: aboutOf(read.first) },
    citing.length === 0
      ? empty(`None of ${whichAnswers(read)} cites it.`)
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Whom the answers that cite it name"><table class="barred">
          <thead><tr><th scope="col">${title('name')}</th><th scope="col" class="number">citing it</th><th scope="col" class="number">all that were read</th></tr></thead>
          <tbody>${rows.slice(0, MAX_NAMES).map(
            ({ id, name, is_brand, there, anywhere }) => html`<tr class=${is_brand ? 'own' : undefined}>
              <th scope="row"><a href=${is_brand ? leads.brand : leads.competitor(id)}>${userText(name, 60)}</a>${bar(there / citing.length, is_brand ? 'own' : '')}</th>
              <td class="number">${part(there, citing.length)}</td>
              <td class="number">${part(anywhere, read.answers.length)}</td>
            </tr>`,
          )}</tbody>
        </table></div>
        <p class="foot">${citing.length} of ${whichAnswers(read)} ${citing.length === 1 ? 'cites' : 'cite'} it.${rest > 0 ? ` ${rest} more names are in them.` : ''}</p>`,
  );
}

export const names = ({ mentions }: Answer, entity: string): boolean =>
  mentions.some((mention) => mention.entity === entity);

/** `30 % (12 of 40)`. */
const part = (count: number, of: number): Markup =>
  html`${Math.round((100 * count) / of)} % <small>(${whole(count)} of ${whole(of)})</small>`;

export const citingAnswers = (
  citing: readonly Answer[],
  read: NewestAnswers,
  entities: readonly Competitor[],
  promptOf: ReadonlyMap<string, string>,
  leads: Leads,
): Markup =>
  card(
    { ...CITING, about: aboutOf(read.first) },
    citing.length === 0
      ? empty(`None of ${whichAnswers(read)} cites it.`)
      : html`${answerList(citing.slice(0, MAX_ANSWERS), entities, promptOf, leads)}
          <p class="foot">${citing.length > MAX_ANSWERS ? `The newest ${MAX_ANSWERS} of ${citing.length}` : `${citing.length}`} of ${whichAnswers(read)}.</p>`,
  );
