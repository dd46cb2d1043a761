/** Which brand, which days, which filters. Forms with GET, so that the address can be sent to a colleague. */

import { engines } from '../../../../contract/engines.js';
import { WINDOW_PRESETS } from '../../../../contract/limits.js';
import type { BrandEntry } from '../../../../contract/reads/brands.js';
import type { Prompt } from '../../../../contract/reads/prompts.js';
import type { Choice, Choices } from '../choices.js';
import { html, type Markup } from '../html.js';
import type { Link } from '../parts/layout.js';
import { engineName, noun, span, truncated, userText } from '../parts/text.js';
import { brandPath, PAGE_PATHS, type Query, withQuery } from '../paths.js';
import type { LinkFilters } from '../shared-reads.js';
import {
  canFilterBy,
  chipsOf,
  type Filter,
  filterNames,
  filtersOf,
  queryOf,
  type Slice,
  windowOf,
  withFilter,
} from '../slice.js';

/** Brands in the menu; the list of brands has all. */
const MAX_BRANDS = 12;

/** The menu of the other brands; null: there is none. */
export function switcher(link: Link, brands: readonly BrandEntry[], current: string, slice: Slice): Markup {
  const others = brands.filter(({ id }) => id !== current);
  if (others.length === 0) return null;
  return html`<details class="switcher">
    <summary>Other brands</summary>
    <ul>
      ${others
        .slice(0, MAX_BRANDS)
        .map(
          ({ id, name, archived }) =>
            html`<li><a href=${link(withQuery(brandPath(id), queryOf(slice)))}>${userText(name, 60)}</a>${archived ? ' (archived)' : ''}</li>`,
        )}
      <li><a href=${link(PAGE_PATHS.brands)}>All brands</a></li>
    </ul>
  </details>`;
}

/** The part of a page that the controls need. */
interface Sliced {
  readonly link: Link;
  readonly slice: Slice;
  /** The filters of the link of a viewer, who can choose only among its engines; undefined: a key, which has none. */
  readonly limits?: LinkFilters | undefined;
  readonly firstVerdictIn?: number | null;
}

const isLimited = (limits: LinkFilters | undefined): boolean => Object.keys(limits ?? {}).length > 0;

/** The form of the window that is shown, by days or by range; the other way to choose is folded, and so are the filters. */
export function controls(
  { link, slice, limits, firstVerdictIn }: Sliced,
  path: string,
  choices: Choices,
): Markup {
  const isRange = slice.days === undefined;
  const action = link(path);
  return html`
  <div class="controls">
    <form method="get" action=${action}>
      ${isRange ? range(slice) : presets(slice)} ${hidden(filtersOf(slice))}
      <button type="submit">Show</button>
    </form>
    <details class="other-window">
      <summary>${isRange ? 'Last days' : 'From – to'}</summary>
      <form method="get" action=${action}>
        ${isRange ? presets(slice) : range(slice)} ${hidden(filtersOf(slice))}
        <button type="submit">Show</button>
      </form>
    </details>
    ${
      limits?.engine?.length === 1
        ? null
        : html`<details class="filters">
            <summary>Filters</summary>
            <form method="get" action=${action}>
              ${boxes('engine', enginesWithin(limits), slice)}
              ${isLimited(limits) ? null : further(choices, slice)} ${hidden(windowOf(slice))}
              <button type="submit">Show</button>
            </form>
          </details>`
    }
    ${firstVerdictIn == null ? null : html`<p class="hint">First verdict in ${firstVerdictIn} ${noun(firstVerdictIn, 'day')}.</p>`}
  </div>`;
}

const further = (choices: Choices, slice: Slice): Markup =>
  html`${boxes('topic', choices.topic, slice)} ${boxes('tag', choices.tag, slice)} ${boxes('region', choices.region, slice)}
    ${boxes('surface', choices.surface, slice)}
    ${choices.prompt.length === 0 ? null : promptChoice(choices.prompt, slice)}`;

/** What the forms do not show, so that they keep it. */
const hidden = (query: Query): Markup =>
  Object.entries(query).map(([name, value]) =>
    value === undefined ? null : html`<input type="hidden" name=${name} value=${value} />`,
  );

const presets = (slice: Slice): Markup => html`
  <span class="field">
    <label for="days">Window</label>
    <select id="days" name="days">
      ${WINDOW_PRESETS.map(
        (days) => html`<option value=${days} selected=${days === slice.days}>Last ${days} days</option>`,
      )}
    </select>
  </span>`;

const range = ({ from, to }: Slice): Markup => html`
  <span class="field"><label for="from">From</label><input type="date" id="from" name="from" required value=${from} /></span>
  <span class="field"><label for="to">To</label><input type="date" id="to" name="to" required value=${to} /></span>`;

const ENGINES: readonly Choice[] = engines.map(({ id, label }) => ({ value: id, name: label }));

const enginesWithin = (limits: LinkFilters | undefined): readonly Choice[] =>
  ENGINES.filter(({ value }) => limits?.engine?.some((id) => id === value) ?? true);

const TITLES: Readonly<Record<Filter, string>> = {
  engine: 'Engine',
  prompt: 'Prompt',
  topic: 'Topic',
  tag: 'Tag',
  region: 'Region',
  surface: 'Surface',
};

/** Values of a filter that a form lists; those that are chosen come first. */
const MAX_LISTED = 40;
/** Prompts have long texts and pages of their own. */
const MAX_PROMPTS = 30;

/** A box for each value; none is the same as all. */
function boxes(filter: Filter, choices: readonly Choice[], slice: Slice): Markup {
  const { listed, left, isChosen } = listedOf(filter, choices, slice, MAX_LISTED);
  if (listed.length < 2 && !listed.some(isChosen)) return null;
  return html`<fieldset>
    <legend>${TITLES[filter]}</legend>
    ${listed.map(
      (choice) =>
        html`<label><input type="checkbox" name=${filter} value=${choice.value} checked=${isChosen(choice)} /> ${userText(choice.name, 40)}</label>`,
    )}
    ${left === 0 ? null : html`<small>${left} more: choose them at a prompt.</small>`}
  </fieldset>`;
}

function promptChoice(choices: readonly Choice[], slice: Slice): Markup {
  const chosen = slice.prompt ?? [];
  const { listed } = listedOf('prompt', choices, slice, MAX_PROMPTS);
  return html`<span class="field">
    <label for="prompt">${TITLES.prompt}</label>
    <select id="prompt" name="prompt">
      <option value="" selected=${chosen.length === 0}>All prompts</option>
      ${chosen.length > 1 ? html`<option value=${chosen.join(',')} selected>${chosen.length} prompts</option>` : null}
      ${listed.map(({ value, name }) => html`<option value=${value} selected=${chosen.join(',') === value}>${truncated(name, 60)}</option>`)}
    </select>
  </span>`;
}

function listedOf(filter: Filter, choices: readonly Choice[], slice: Slice, most: number) {
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
  const listed = all.length <= most && unlisted.length === 0 ? possible : all.slice(0, most);
  return { listed, left: all.length - listed.length, isChosen };
}

/** What is chosen: each value is a link to the page without it, but for what the link of a viewer is about. */
export function chips({ link, slice, limits }: Sliced, path: string, choices: Choices): Markup {
  const to = (rest: Slice): string => link(withQuery(path, queryOf(rest)));
  const nameOf = (filter: Filter, value: string): string =>
    filter === 'engine'
      ? engineName(value)
      : (choices[filter].find((each) => each.value === value)?.name ?? value);
  const isFixed = (filter: Filter) => (limits?.[filter]?.length ?? 0) === slice[filter]?.length;
  const chosen = chipsOf(slice);
  const all = chosen.map(({ filter, value, without }) => {
    const words = html`${TITLES[filter]}: ${userText(nameOf(filter, value), 60)}`;
    return isFixed(filter) ? html`<span class="chip">${words}</span>` : chip(to(without), words);
  });
  // The form shows the window of a viewer, which may be that of the link.
  const isWindowChip = slice.isWindowGiven && limits === undefined;
  if (isWindowChip) all.unshift(chip(to({ ...slice, isWindowGiven: false }), windowWords(slice)));
  const removable = Number(isWindowChip) + chosen.filter(({ filter }) => !isFixed(filter)).length;
  if (all.length === 0) return null;
  const none = filterNames.reduce((rest, name) => withFilter(rest, name, undefined), slice);
  return html`<ul class="chips" aria-label="Chosen">
    ${all.map((each) => html`<li>${each}</li>`)}
    ${removable < 2 ? null : html`<li><a href=${to({ ...none, isWindowGiven: false })}>Remove all</a></li>`}
  </ul>`;
}

const chip = (href: string, words: Markup): Markup =>
  html`<a class="chip" href=${href}><span class="aural">Remove: </span>${words} <span aria-hidden="true">×</span></a>`;

const windowWords = ({ days, from, to }: Slice): string =>
  days === undefined ? span(from, to) : `Last ${days} days`;

/** Labels of a prompt that are shown. */
const MAX_LABELS = 8;

/** The topic and the tags of a prompt: each leads to the page of the brand, only about its prompts. */
export const promptLabels =
  ({ link, slice, limits }: Sliced, brand: string) =>
  ({ topic_id, topic_name, tags }: Pick<Prompt, 'topic_id' | 'topic_name' | 'tags'>): Markup => {
    const labels: [Filter, Choice][] = tags.map((tag) => ['tag', { value: tag, name: tag }]);
    if (topic_id !== null) labels.unshift(['topic', { value: topic_id, name: topic_name ?? topic_id }]);
    return labels.slice(0, MAX_LABELS).map(([filter, { value, name }]) => {
      const text = userText(name, 40);
      if (isLimited(limits) || !canFilterBy(value)) return html`<span class="label">${text}</span> `;
      const href = link(withQuery(brandPath(brand), queryOf(withFilter(slice, filter, [value] as never))));
      return html`<a class="label" href=${href}>${text}</a> `;
    });
  };
