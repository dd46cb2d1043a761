/** Which brand, which days, which engines. Forms with GET, so that the address can be sent to a colleague. */

import { engines } from '../../../contract/engines.js';
import { capital, SEARCH_ENGINES } from '../../../contract/glossary.js';
import { WINDOW_PRESETS } from '../../../contract/limits.js';
import type { BrandEntry } from '../../../contract/reads/brands.js';
import { html, type Markup } from '../html.js';
import type { Link } from '../parts/layout.js';
import { engineName, userText } from '../parts/text.js';
import { brandPath, PAGE_PATHS, withQuery } from '../paths.js';
import { queryOf, type Slice } from '../slice.js';

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

/** The form of the window that is shown, by days or by range, with the engines; the other way to choose is folded. */
export function controls(action: string, slice: Slice): Markup {
  const isRange = slice.days === undefined;
  return html`
  <div class="controls">
    <form method="get" action=${action}>
      ${isRange ? range(slice) : presets(slice)} ${engineChoice(slice)}
      <button type="submit">Show</button>
    </form>
    <details class="other-window">
      <summary>${isRange ? 'Last days' : 'From – to'}</summary>
      <form method="get" action=${action}>
        ${isRange ? presets(slice) : range(slice)}
        ${slice.engine === undefined ? null : html`<input type="hidden" name="engine" value=${slice.engine.join(',')} />`}
        <button type="submit">Show</button>
      </form>
    </details>
  </div>`;
}

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

function engineChoice({ engine }: Slice): Markup {
  const chosen = engine?.join(',') ?? '';
  const isListed = chosen === '' || engines.some(({ id }) => id === chosen);
  return html`<span class="field">
    <label for="engine">Engines</label>
    <select id="engine" name="engine">
      <option value="" selected=${chosen === ''}>${capital(SEARCH_ENGINES)}</option>
      ${isListed ? null : html`<option value=${chosen} selected>${engine!.map(engineName).join(', ')}</option>`}
      ${engines.map(({ id, label }) => html`<option value=${id} selected=${id === chosen}>${label}</option>`)}
    </select>
  </span>`;
}
