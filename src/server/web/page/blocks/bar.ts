/** The bar that stays: which brand, which days, which filters; sharing and files. Forms with GET, so that the address can be sent to a colleague. */

import { engines } from '../../../../contract/engines.js';
import { capital } from '../../../../contract/glossary.js';
import { WINDOW_PRESETS } from '../../../../contract/limits.js';
import type { BrandEntry } from '../../../../contract/reads/brands.js';
import type { Prompt } from '../../../../contract/reads/prompts.js';
import type { Brand } from '../../../accounts/access.js';
import type { Choice, Choices } from '../choices.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import type { Link } from '../parts/layout.js';
import { pop } from '../parts/pop.js';
import { day, engineName, regionName, truncated, userText } from '../parts/text.js';
import { brandPath, PAGE_PATHS, type Query, withQuery } from '../paths.js';
import type { LinkFilters } from '../shared-reads.js';
import {
  canFilterBy,
  chipsOf,
  type Exports,
  type Filter,
  filterNames,
  filtersOf,
  queryOf,
  type Slice,
  windowOf,
  withFilter,
} from '../slice.js';

/** Brands in the menu; the list of brands has all. */
const MAX_BRANDS = 8;

/** What the controls of a page need. */
export interface Sliced {
  readonly link: Link;
  readonly slice: Slice;
  /** The filters of the link of a viewer, who can choose only among its engines; undefined: a key, which has none. */
  readonly limits?: LinkFilters | undefined;
}

export interface Bar extends Sliced {
  readonly brand: Brand;
  readonly brands: readonly BrandEntry[];
  /** Of the page. */
  readonly path: string;
  /** What the address has besides the slice, which forms and links keep. */
  readonly view: Query;
  /** Null: no answer was ever collected, so there is nothing to choose. */
  readonly choices: Choices | null;
  readonly exports: Exports;
  /** The form that makes a link; null: not for this visitor. */
  readonly share: Markup;
}

export function bar(all: Bar): Markup {
  const { link, brand, brands, slice, choices, exports, share } = all;
  return html`
    <div class="brand">${switcher(link, brands, brand, slice)} <span class="domain">${userText(brand.domain, 60)}</span></div>
    ${choices === null ? null : html`${windows(all)}<div class="filters">${chips(all, choices)}${filterForms(all, choices)}</div>`}
    <div class="tools">
      ${share === null ? null : pop({ id: 'share', button: 'Share' }, share)}
      ${exports.size === 0 ? null : pop({ id: 'export', button: 'Export' }, files(exports))}
    </div>`;
}

/** The name of the brand; where there are others, it opens their menu. */
function switcher(link: Link, brands: readonly BrandEntry[], { id: current, name }: Brand, slice: Slice) {
  const others = brands.filter(({ id }) => id !== current);
  const text = userText(name, 60);
  if (others.length === 0)
    return html`<a class="name" href=${link(withQuery(brandPath(current), queryOf(slice)))}>${text}</a>`;
  return html`<a class="name" href=${link(withQuery(brandPath(current), queryOf(slice)))}>${text}</a>${pop(
    { id: 'brands', button: html`<span class="open"></span>`, label: 'Other brands' },
    html`<ul class="menu">
      ${others
        .slice(0, MAX_BRANDS)
        .map(
          ({ id, name: other, archived }) =>
            html`<li><a href=${link(withQuery(brandPath(id), windowOf(slice)))}>${userText(other, 60)}</a>${archived ? ' (archived)' : ''}</li>`,
        )}
      <li><a href=${link(PAGE_PATHS.brands)}>All brands</a></li>
    </ul>`,
  )}`;
}

const keep = (query: Query): Markup =>
  Object.entries(query).map(([name, value]) =>
    value === undefined ? null : html`<input type="hidden" name=${name} value=${value} />`,
  );

function windows(all: Bar): Markup {
  const { link, path, slice, view } = all;
  const isRange = slice.days === undefined;
  const preset = (days: number) =>
    html`<a href=${link(withQuery(path, { days, ...filtersOf(slice, changeable(all)), ...view }))} aria-current=${days === slice.days ? 'true' : undefined} title=${`Last ${days} days`}>${days} d</a>`;
  return html`<nav class="windows" aria-label="Days">
    ${WINDOW_PRESETS.map(preset)}
    ${pop(
      {
        id: 'days',
        button: isRange ? `${day(slice.from)} – ${day(slice.to)}` : 'From – to',
        look: isRange ? 'current' : '',
      },
      html`<form method="get" action=${link(path)}>
        <span class="field"><label for="from">From</label><input type="date" id="from" name="from" required value=${slice.from} /></span>
        <span class="field"><label for="to">To</label><input type="date" id="to" name="to" required value=${slice.to} /></span>
        ${keep(filtersOf(slice, changeable(all)))}${keep(view)}
        <button type="submit">Show</button>
      </form>`,
    )}
  </nav>`;
}

const ENGINES: readonly Choice[] = engines.map(({ id, label }) => ({ value: id, name: label }));

const TITLES: Readonly<Record<Filter, string>> = {
  engine: 'Engine',
  prompt: 'Prompt',
  topic: 'Topic',
  tag: 'Tag',
  region: 'Region',
  surface: 'Surface',
};

/** The filters that the visitor can change: those of a link stay without being named. */
const changeable = ({ limits }: Sliced): Filter[] =>
  isLimited(limits) ? (limits?.engine?.length === 1 ? [] : ['engine']) : filterNames;

const isLimited = (limits: LinkFilters | undefined): boolean => Object.keys(limits ?? {}).length > 0;

/** The values of a filter that the visitor may choose among. */
const choicesFor = (filter: Filter, { limits }: Sliced, choices: Choices): readonly Choice[] => {
  if (filter !== 'engine') return isLimited(limits) ? [] : choices[filter];
  return ENGINES.filter(({ value }) => limits?.engine?.some((id) => id === value) ?? true);
};

/** A button for each filter, which opens its values; prompts have a list of their own. None chosen is the same as all. */
const filterForms = (all: Bar, choices: Choices): Markup =>
  filterNames
    .filter((filter) => filter !== 'prompt')
    .map((filter) => {
      const { link, path, slice, view } = all;
      const possible = choicesFor(filter, all, choices);
      const { listed, left, isChosen } = listedOf(filter, possible, slice);
      if (listed.length < 2 && !listed.some(isChosen)) return null;
      if (!changeable(all).includes(filter)) return null;
      const others = withFilter(slice, filter, undefined);
      return pop(
        {
          id: `filter-${filter}`,
          button: html`<span aria-hidden="true">+ </span>${TITLES[filter]}`,
          look: 'add',
        },
        html`<form method="get" action=${link(path)}>
        <fieldset><legend>${TITLES[filter]}</legend>
        ${listed.map(
          (choice) =>
            html`<label><input type="checkbox" name=${filter} value=${choice.value} checked=${isChosen(choice)} /> ${userText(choice.name, 60)}</label>`,
        )}</fieldset>
        ${left === 0 ? null : html`<p class="hint">${left} more: choose them in the list of prompts.</p>`}
        ${keep(windowOf(slice))}${keep(filtersOf(others, changeable(all)))}${keep(view)}
        <button type="submit">Show</button>
      </form>`,
      );
    });

/** Values of a filter that a form lists; those that are chosen come first. */
const MAX_LISTED = 30;

function listedOf(filter: Filter, choices: readonly Choice[], slice: Slice) {
  const chosen: readonly string[] = slice[filter] ?? [];
  const isChosen = ({ value }: Choice): boolean => chosen.includes(value);
  const possible = choices.filter(({ value }) => canFilterBy(value));
  const unlisted = chosen.filter((value) => !possible.some((each) => each.value === value));
  const all = [
    ...unlisted.map((value) => ({ value, name: value })),
    ...possible.filter(isChosen),
    ...possible.filter((each) => !isChosen(each)),
  ];
  // In the order of the choices where there is room for all.
  const listed = all.length <= MAX_LISTED && unlisted.length === 0 ? possible : all.slice(0, MAX_LISTED);
  return { listed, left: all.length - listed.length, isChosen };
}

const nameOf = (choices: Choices, filter: Filter, value: string): string => {
  if (filter === 'engine') return engineName(value);
  if (filter === 'region') return regionName(value);
  return choices[filter].find((each) => each.value === value)?.name ?? value;
};

/** What is chosen: each value is a link to the page without it, but for what the link of a viewer is about. */
function chips({ link, path, slice, limits, view }: Bar, choices: Choices): Markup {
  const isFixed = (filter: Filter) => (limits?.[filter]?.length ?? 0) === slice[filter]?.length;
  const chosen = chipsOf(slice);
  if (chosen.length === 0) return null;
  return html`<ul class="chips" aria-label="Chosen">${chosen.map(({ filter, value, without }) => {
    const words = html`${TITLES[filter]}: ${userText(nameOf(choices, filter, value), 40)}`;
    return isFixed(filter)
      ? html`<li><span class="chip">${words}</span></li>`
      : html`<li><a class="chip" href=${link(withQuery(path, { ...queryOf(without), ...view }))}><span class="aural">Remove: </span>${words} <span aria-hidden="true">×</span></a></li>`;
  })}</ul>`;
}

/** What is chosen, in words, for paper and titles. */
export const chosenWords = (slice: Slice, choices: Choices): string =>
  chipsOf(slice)
    .map(({ filter, value }) => truncated(nameOf(choices, filter, value), 40))
    .join(', ');

const files = (exports: Exports): Markup => html`<table class="files">
  <tbody>${[...exports].map(([name, { json, csv }]) => {
    const words = capital(name.replaceAll(/[-/]/g, ' '));
    return html`<tr><th scope="row">${words}</th><td><a href=${csv} aria-label=${`${words} as CSV`}>CSV</a></td><td><a href=${json} aria-label=${`${words} as JSON`}>JSON</a></td></tr>`;
  })}</tbody></table>`;

/** Labels of a prompt that are shown. */
const MAX_LABELS = 8;

/** The topic and the tags of a prompt: each leads to the page of the brand, only about its prompts. */
export const promptLabels =
  ({ limits }: Sliced, leads: Leads) =>
  ({ topic_id, topic_name, tags }: Pick<Prompt, 'topic_id' | 'topic_name' | 'tags'>): Markup => {
    const labels: [Filter, Choice][] = tags.map((tag) => ['tag', { value: tag, name: tag }]);
    if (topic_id !== null) labels.unshift(['topic', { value: topic_id, name: topic_name ?? topic_id }]);
    return labels.slice(0, MAX_LABELS).map(([filter, { value, name }]) => {
      const text = userText(name, 40);
      const href = isLimited(limits) ? null : leads.only(filter, value);
      return href === null
        ? html`<span class="label">${text}</span> `
        : html`<a class="label" href=${href}>${text}</a> `;
    });
  };
