/** The table of brands: each with its numbers, sorted and found by name, those that are archived apart. */
import type { VNode } from 'preact';
import type { BrandEntry } from '../../../contract/reads/brands.js';
import { LEAD_METRIC } from '../../../contract/summary.js';
import type { Access } from '../../accounts/access.js';
import { html, type Markup } from './html.js';
import { changeOf } from './parts/change.js';
import { type Link, layout } from './parts/layout.js';
import { decimal, formatOf, headOf, numberField, rowName, whole } from './parts/numbers.js';
import { type Column, table } from './parts/table.js';
import { span, truncated, userText } from './parts/text.js';
import { brandPath, PAGE_PATHS, type Query, settingsPath, tabPath, withQuery } from './paths.js';
import type { Loaded } from './reads.js';
import type { View } from './view.js';

const BRANDS_OF_A_PAGE = 50;

/** Brands as people see them: in the order of the read, which is oldest first, but those that are archived last. */
export const brandsInOrder = <B extends Pick<BrandEntry, 'archived'>>(brands: readonly B[]): B[] => [
  ...brands.filter(({ archived }) => !archived),
  ...brands.filter(({ archived }) => archived),
];

/** A brand, and its place in the read. */
export interface Listed {
  readonly brand: BrandEntry;
  readonly at: number;
}

export interface BrandList<B = Listed> {
  readonly brands: readonly B[];
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}

/** A page of the list; beyond the last one it has no brands. */
export function pageOf<B>(all: readonly B[], page: number): BrandList<B> {
  const pages = Math.max(1, Math.ceil(all.length / BRANDS_OF_A_PAGE));
  return { brands: all.slice((page - 1) * BRANDS_OF_A_PAGE, page * BRANDS_OF_A_PAGE), page, pages };
}

const sorts: Readonly<Record<string, (brand: BrandEntry) => number>> = {
  presence: ({ summary }) => summary?.presence_rate ?? -1,
  visibility: ({ summary }) => summary?.visibility ?? -1,
  change: ({ summary }) => Math.abs(summary?.change.presence_rate.difference ?? -1),
  needs: ({ summary }) => summary?.needs ?? -1,
  rank: ({ summary }) => -(summary?.rank ?? Number.MAX_SAFE_INTEGER),
};

/** The brands with a part of a name, sorted; archived ones last. */
export function chosenBrands(brands: readonly BrandEntry[], { find = '', sort = '' }: View): Listed[] {
  const wanted = find.trim().toLowerCase();
  const all = brands
    .map((brand, at) => ({ brand, at, archived: brand.archived }))
    .filter(({ brand: { name, domain, workspace_name } }) =>
      [name, domain, workspace_name ?? ''].join(' ').toLowerCase().includes(wanted),
    );
  const by = Object.hasOwn(sorts, sort) ? sorts[sort] : undefined;
  if (by !== undefined) all.sort((a, b) => by(b.brand) - by(a.brand));
  if (sort === 'name') all.sort((a, b) => a.brand.name.localeCompare(b.brand.name, 'en'));
  if (sort === 'client')
    all.sort((a, b) => (a.brand.workspace_name ?? '').localeCompare(b.brand.workspace_name ?? '', 'en'));
  return brandsInOrder(all);
}

export interface BrandsPage {
  readonly link: Link;
  readonly access: Access;
  readonly list: BrandList;
  readonly read: Loaded<'brands'>;
  readonly view: View;
  /** The ids of those whose settings the visitor may change. */
  readonly editable: ReadonlySet<string>;
}

export function brandsPage({ link, access, list, read, view, editable }: BrandsPage): VNode {
  const { sort, find } = view;
  const to = (query: Query) => link(withQuery(PAGE_PATHS.brands, { sort, find, ...query }));
  const window = list.brands.find(({ brand }) => brand.summary && !brand.archived)?.brand.summary?.window;
  const hasClients = new Set(read.body.brands.map(({ workspace_name }) => workspace_name)).size > 1;
  const some = (archived: boolean) => list.brands.filter(({ brand }) => brand.archived === archived);
  const block = (title: string, rows: readonly Listed[]) =>
    rows.length === 0
      ? null
      : html`<section class="card" aria-label=${title} data-source=${read.source}><div class="card-head"><h2>${title}</h2>${window && title !== ARCHIVED ? html`<p class="about">${span(window.start, window.end)}</p>` : null}</div>
          ${table<Listed>({ label: title, rows, columns: columns(link, hasClients, editable), sorting: { by: sort ?? '', to: (name) => to({ sort: name }) } })}
          ${rows.some(isUncounted) ? html`<p class="foot">What needs people is counted in the background, for brands with new answers within minutes to an hour.</p>` : null}</section>`;
  return layout(
    { link, title: 'Brands · Answer visibility', access },
    html`
    <div class="title with-form"><h1>Brands</h1>
      <form class="said" method="get" action=${link(PAGE_PATHS.brands)}>
        <span class="field"><label for="find">Name</label><input id="find" name="find" value=${find ?? ''} /></span>
        ${sort === undefined ? null : html`<input type="hidden" name="sort" value=${sort} />`}
        <button type="submit">Find</button>
      </form></div>
    <div class="cards">${block('Brands', some(false))}${block(ARCHIVED, some(true))}
      ${list.brands.length === 0 ? html`<p class="empty">No brand has such a name.</p>` : null}</div>
    ${list.pages === 1 ? null : pageLinks(to, list)}`,
  );
}

const ARCHIVED = 'Archived';

function pageLinks(to: (query: Query) => string, { page, pages }: BrandList): Markup {
  const other = (at: number, text: string) =>
    at < 1 || at > pages ? null : html` <a href=${to({ page: at })}>${text}</a>`;
  return html`<p class="foot pages">Page ${page} of ${pages}${other(page - 1, 'Earlier brands')}${other(page + 1, 'More brands')}</p>`;
}

const CLIENT: Column<Listed> = {
  head: 'Client',
  kind: 'words',
  sort: 'client',
  cell: ({ brand: { workspace_name } }) => userText(workspace_name ?? '', 60),
};

const NOT_COUNTED = html`<span class="chance">not counted yet</span>`;
const isUncounted = ({ brand: { archived, summary } }: Listed): boolean =>
  !archived && summary !== null && summary.presence_rate !== null && summary.needs === null;

/** How much needs people, which leads to the list; an archived brand has none. */
function needsOf(row: Listed, field: string, link: Link): Markup {
  const { id, archived, summary } = row.brand;
  if (archived || summary === null) return null;
  if (summary.needs === null) return isUncounted(row) ? NOT_COUNTED : null;
  const number = numberField(field, summary.needs);
  return summary.needs ? html`<a href=${link(tabPath(id, 'needs'))}>${number}</a>` : number;
}

const settingsColumn = (link: Link, editable: ReadonlySet<string>): Column<Listed> => ({
  head: html`<span class="aural">Settings</span>`,
  kind: 'words',
  cell: ({ brand: { id, name } }) =>
    editable.has(id)
      ? html`<a href=${link(settingsPath(id))} aria-label=${`Settings of ${truncated(name, 80)}`}>Settings</a>`
      : null,
});

/** @param hasClients Whether the brands are those of several workspaces, as an agency has one for each client. */
function columns(link: Link, hasClients: boolean, editable: ReadonlySet<string>): Column<Listed>[] {
  const field = ({ brand, at }: Listed) => `brands.${rowName(brand.id, at)}.summary`;
  return [
    {
      head: 'Brand',
      sort: 'name',
      cell: ({ brand: { id, name, domain } }) =>
        html`<a href=${link(brandPath(id))}>${userText(name, 80)}</a><small class="under">${userText(domain, 80)}</small>`,
    },
    ...(hasClients ? [CLIENT] : []),
    {
      head: 'Named in',
      kind: 'number',
      sort: 'presence',
      cell: (row) =>
        numberField(
          `${field(row)}.presence_rate`,
          row.brand.summary?.presence_rate ?? null,
          formatOf(LEAD_METRIC),
        ),
    },
    {
      head: 'Change',
      kind: 'words',
      sort: 'change',
      cell: ({ brand: { summary } }) =>
        summary === null || summary.presence_rate === null
          ? html`<span class="chance">no answers in these days</span>`
          : (changeOf({
              metric: LEAD_METRIC,
              now: summary.presence_rate,
              before: summary.change.presence_rate.previous,
              verdict: summary.change.presence_rate.verdict,
              isOwn: true,
            }) ?? html`<span class="chance">change unknown</span>`),
    },
    {
      head: headOf('visibility'),
      kind: 'number minor',
      sort: 'visibility',
      cell: (row) => numberField(`${field(row)}.visibility`, row.brand.summary?.visibility ?? null, decimal),
    },
    {
      head: 'Rank',
      kind: 'number',
      sort: 'rank',
      cell: (row) => {
        const { rank = null, ranked = null } = row.brand.summary ?? {};
        return rank === null || ranked === null
          ? null
          : html`${numberField(`${field(row)}.rank`, rank)} of ${numberField(`${field(row)}.ranked`, ranked, whole)}`;
      },
    },
    {
      head: 'Needs',
      kind: 'number',
      sort: 'needs',
      cell: (row) => needsOf(row, `${field(row)}.needs`, link),
    },
    ...(editable.size > 0 ? [settingsColumn(link, editable)] : []),
  ];
}
