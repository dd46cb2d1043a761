/** The most cited domains and pages. */
import { label, title, valueLabel } from '../../../../contract/glossary.js';
import { CAPS } from '../../../../contract/limits.js';
import type { Source } from '../../../../contract/reads/sources.js';
import type { CitedUrl } from '../../../../contract/reads/urls.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty, unmeasured } from '../parts/card.js';
import { bar, numberField, rowName } from '../parts/numbers.js';
import { aboutOf, externalLink, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const DOMAINS: Card = { id: 'domains', title: 'Because of which sources?' };
export const PAGES: Card = { id: 'pages', title: `Most ${label('citedPages')}` };

const MAX_ROWS = 10;

export function domains(read: Loaded<'sources'>, leads: Leads): Markup {
  const { body } = read;
  const { sources } = body;
  const most = sources[0]?.citations ?? 1;
  const row = (
    { domain, classification, citations }: Source,
    at: number,
  ) => html`<tr class=${classification === 'owned' ? 'own' : undefined}>
    <th scope="row">${domainLink(domain, leads)}${bar(citations / most, classification === 'owned' ? 'own' : '')}</th>
    <td><span class="label">${userText(valueLabel('kind', classification), 24)}</span></td>
    <td class="number">${numberField(`sources.${rowName(domain, at)}.citations`, citations)}</td>
  </tr>`;
  return card(
    { ...DOMAINS, about: aboutOf(body), read },
    sources.length === 0
      ? unmeasured(body, 'No answer cited a page.')
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Most cited domains"><table class="barred">
          <thead><tr><th scope="col">${title('domain')}</th><th scope="col">${title('kind')}</th><th scope="col" class="number">${title('citations')}</th></tr></thead>
          <tbody>${sources.slice(0, MAX_ROWS).map(row)}</tbody>
        </table></div>`,
  );
}

/** @param measured False: no answer was collected, so no page is gone. */
export function pages(read: Loaded<'urls'>, measured: boolean, leads: Leads): Markup {
  const { body } = read;
  const { urls } = body;
  const row = (
    page: CitedUrl,
    at: number,
  ) => html`<tr class=${page.classification === 'owned' ? 'own' : undefined}>
    <th scope="row">${externalLink(page.url, page.title ?? page.url, 90)}<small class="under">${domainLink(page.domain, leads)}${page.page_type === null ? '' : ` · ${page.page_type}`}${markOf(page)}</small></th>
    <td class="number">${numberField(`urls.${rowName(page.url, at)}.citations`, page.citations)}</td>
    <td class="number">${numberField(`urls.${rowName(page.url, at)}.prior_citations`, page.prior_citations)}</td>
  </tr>`;
  return card(
    { ...PAGES, about: aboutOf(body), read },
    urls.length === 0 || !measured
      ? unmeasured(body, 'No answer cited a page.')
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Most cited pages"><table>
          <thead><tr><th scope="col">${title('page')}</th><th scope="col" class="number">${title('citations')}</th><th scope="col" class="number">${title('before')}</th></tr></thead>
          <tbody>${urls.slice(0, MAX_ROWS).map(row)}</tbody>
        </table></div>`,
  );
}

/** A domain that leads to its pages and to the answers that cite it. */
export const domainLink = (domain: string, leads: Leads): Markup =>
  domain === '' ? '' : html`<a href=${leads.domain(domain)}>${userText(domain, 60)}</a>`;

/** Whether the page is new or gone. */
export function markOf({ citations, prior_citations }: CitedUrl): Markup {
  const mark = prior_citations === 0 ? 'new' : citations === 0 ? 'gone' : null;
  return mark === null ? null : html` <span class="label">${mark}</span>`;
}

export const CITED: Card = { id: 'cited', title: 'Who is cited' };

const MAX_CITED_DOMAINS = 5;

/** Who the answers to a prompt cite. */
export function cited(urls: Loaded<'urls'>, sources: Loaded<'sources'>, leads: Leads): Markup {
  const own = urls.body.urls
    .map((page, at) => ({ ...page, at }))
    .filter(({ classification, citations }) => classification === 'owned' && citations > 0);
  const others = sources.body.sources
    .map((domain, at) => ({ ...domain, at }))
    .filter(({ classification }) => classification !== 'owned');
  // The read has the most cited pages only: there may be further pages of the brand.
  const none = urls.body.urls.length < CAPS.urls ? 'None.' : `None of the ${CAPS.urls} most cited pages.`;
  return card(
    { ...CITED, about: aboutOf(sources.body), read: sources },
    html`
    <h3>Pages of the brand</h3>
    ${own.length === 0 ? empty(none) : html`<ul class="plain" data-source=${urls.source}>${own.slice(0, MAX_ROWS).map(({ url, citations, at }) => html`<li>${externalLink(url, url, 90)} <small>${numberField(`urls.${rowName(url, at)}.citations`, citations)}</small></li>`)}</ul>`}
    <h3>${title('mostCitedElsewhere')}</h3>
    ${others.length === 0 ? empty('None.') : html`<ul class="plain" data-source=${sources.source}>${others.slice(0, MAX_CITED_DOMAINS).map(({ domain, classification, citations, at }) => html`<li>${domainLink(domain, leads)} <span class="label">${userText(valueLabel('kind', classification), 24)}</span> <small>${numberField(`sources.${rowName(domain, at)}.citations`, citations)}</small></li>`)}</ul>`}`,
  );
}
