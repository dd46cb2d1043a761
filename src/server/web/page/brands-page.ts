/** The list of brands. */
import type { VNode } from 'preact';
import type { BrandEntry } from '../../../contract/reads/brands.js';
import type { Access } from '../../accounts/access.js';
import { html, type Markup } from './html.js';
import { tileChange } from './parts/change.js';
import { type Link, layout } from './parts/layout.js';
import { decimal, numberField } from './parts/numbers.js';
import { userText } from './parts/text.js';
import { brandPath, PAGE_PATHS, withQuery } from './paths.js';
import type { Loaded } from './reads.js';

const BRANDS_OF_A_PAGE = 50;
/** Longer lists are without scores, which cost a read each. */
export const MAX_SCORED = 12;

/** Brands as people see them: in the order of the read, which is oldest first, but those that are archived last. */
export const brandsInOrder = (brands: readonly BrandEntry[]): BrandEntry[] => [
  ...brands.filter(({ archived }) => !archived),
  ...brands.filter(({ archived }) => archived),
];

export interface BrandList {
  readonly brands: readonly BrandEntry[];
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

/** A page of the list; beyond the last one it has no brands. */
export function pageOf(all: readonly BrandEntry[], page: number): BrandList {
  const pages = Math.max(1, Math.ceil(all.length / BRANDS_OF_A_PAGE));
  return { brands: all.slice((page - 1) * BRANDS_OF_A_PAGE, page * BRANDS_OF_A_PAGE), page, pages };
}

/** The scorecard of a brand; null if nothing was ever collected, undefined if it is not shown. */
type Score = Loaded<'overview'> | null | undefined;

export interface BrandsPage {
  readonly link: Link;
  readonly access: Access;
  readonly list: BrandList;
  readonly overviews: ReadonlyMap<string, Score>;
}

export const brandsPage = ({ link, access, list, overviews }: BrandsPage): VNode =>
  layout(
    { link, title: 'Brands · Answer visibility', access },
    html`
    <div class="title"><h1>Brands</h1></div>
    <ul class="brands">${list.brands.map((brand) => entry(link, brand, overviews.get(brand.id)))}</ul>
    ${list.pages === 1 ? null : pageLinks(link, list)}`,
  );

function pageLinks(link: Link, { page, pages }: BrandList): Markup {
  const to = (other: number, text: string) =>
    other < 1 || other > pages
      ? null
      : html` <a href=${link(withQuery(PAGE_PATHS.brands, { page: other }))}>${text}</a>`;
  return html`<p>Page ${page} of ${pages}${to(page - 1, 'Earlier brands')}${to(page + 1, 'More brands')}</p>`;
}

const entry = (link: Link, { id, name, domain, archived }: BrandEntry, overview: Score): Markup => html`
  <li class="card" data-source=${overview?.source}>
    <h2><a href=${link(brandPath(id))}>${userText(name, 80)}</a></h2>
    <p class="domain">${userText(domain, 80)}${archived ? html` <span class="label">archived</span>` : null}</p>
    ${overview ? score(overview) : null}
    ${overview === null ? html`<p class="aside">Nothing collected yet</p>` : null}
  </li>`;

function score({ body }: Loaded<'overview'>): Markup {
  const measured = body.run_count > 0;
  return html`
    <p class="score"><span>Visibility <small>last ${body.window_days} days</small></span> <strong>${numberField('overview.visibility', measured ? body.visibility : null, decimal)}</strong>${measured ? html` <small>of 100</small>` : null}</p>
    <p class="aside">
      ${measured ? tileChange('overview.change.visibility', 'visibility', body.visibility, body.change.visibility) : `No answer in the last ${body.window_days} days`}
    </p>`;
}
