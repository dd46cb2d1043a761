/** Block 7: the most cited domains and pages. */
import { label, title, valueLabel } from '../../../contract/glossary.js';
import type { Source } from '../../../contract/reads/sources.js';
import type { CitedUrl } from '../../../contract/reads/urls.js';
import { html, type Markup } from '../html.js';
import { type Card, card, empty } from '../parts/card.js';
import { bar, datum, rowName } from '../parts/numbers.js';
import { aboutOf, outside, said } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const DOMAINS: Card = { id: 'domains', title: `Most ${label('citedDomains')}` };
export const PAGES: Card = { id: 'pages', title: `Most ${label('citedPages')}` };

const MOST_ROWS = 10;

export function domains({ body, source }: Loaded<'sources'>): Markup {
  const { sources } = body;
  const most = sources[0]?.citations ?? 1;
  const row = (
    { domain, classification, citations }: Source,
    at: number,
  ) => html`<tr class=${classification === 'owned' ? 'own' : ''}>
    <th scope="row">${said(domain, 60)}${bar(citations / most, classification === 'owned' ? 'own' : '')}</th>
    <td><span class="label">${said(valueLabel('kind', classification), 24)}</span></td>
    <td class="number">${datum(`sources.${rowName(domain, at)}.citations`, citations)}</td>
  </tr>`;
  return card(
    { ...DOMAINS, about: aboutOf(body), source },
    sources.length === 0
      ? empty('No answer cited a page.')
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Most cited domains"><table class="barred">
          <thead><tr><th scope="col">${title('domain')}</th><th scope="col">${title('kind')}</th><th scope="col" class="number">${title('citations')}</th></tr></thead>
          <tbody>${sources.slice(0, MOST_ROWS).map(row)}</tbody>
        </table></div>`,
  );
}

/** @param measured False: no answer was collected, so no page is gone. */
export function pages({ body, source }: Loaded<'urls'>, measured: boolean): Markup {
  const { urls } = body;
  const row = (page: CitedUrl, at: number) => html`<tr class=${page.classification === 'owned' ? 'own' : ''}>
    <th scope="row">${outside(page.url, page.title ?? page.url, 90)}<small class="under">${said(page.domain, 60)}${page.page_type === null ? '' : ` · ${page.page_type}`}${markOf(page)}</small></th>
    <td class="number">${datum(`urls.${rowName(page.url, at)}.citations`, page.citations)}</td>
    <td class="number">${datum(`urls.${rowName(page.url, at)}.prior_citations`, page.prior_citations)}</td>
  </tr>`;
  return card(
    { ...PAGES, about: aboutOf(body), source },
    urls.length === 0 || !measured
      ? empty('No answer cited a page.')
      : html`<div class="scroll" tabindex="0" role="group" aria-label="Most cited pages"><table>
          <thead><tr><th scope="col">${title('page')}</th><th scope="col" class="number">${title('citations')}</th><th scope="col" class="number">${title('before')}</th></tr></thead>
          <tbody>${urls.slice(0, MOST_ROWS).map(row)}</tbody>
        </table></div>`,
  );
}

/** Whether the page is new or gone. */
function markOf({ citations, prior_citations }: CitedUrl): Markup {
  const mark = prior_citations === 0 ? 'new' : citations === 0 ? 'gone' : null;
  return mark === null ? null : html` <span class="label">${mark}</span>`;
}
