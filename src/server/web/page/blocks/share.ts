/** Sharing a brand: the form that makes a link, the link, and those that work. */
import { SHARE_LIMITS } from '../../../../contract/limits.js';
import type { Brand } from '../../../accounts/access.js';
import type { ShareRow } from '../../../accounts/shares.js';
import { html, type Markup } from '../html.js';
import { card, empty } from '../parts/card.js';
import type { Link } from '../parts/layout.js';
import { dateTime, engineName, plainTime, userText } from '../parts/text.js';
import { brandPath, revokeSharePath, sharePath, withQuery } from '../paths.js';
import { queryOf, type Slice } from '../slice.js';

/** Days for which the form offers a link. */
const LIVES = [7, 30, SHARE_LIMITS.days, 365];

/** The form that makes a link to what the page shows. */
export const shareForm = (link: Link, brand: Brand, slice: Slice): Markup => html`
  <form method="post" action=${link(sharePath(brand.id))}>
    ${Object.entries(queryOf(slice)).map(([name, value]) => html`<input type="hidden" name=${name} value=${String(value)} />`)}
    <span class="field">
      <label for="expires">Works for</label>
      <select id="expires" name="expires">
        ${LIVES.map((days) => html`<option value=${`${days}d`} selected=${days === SHARE_LIMITS.days}>${days} days</option>`)}
      </select>
    </span>
    <button type="submit">Make a link</button>
    <p class="hint">
      Whoever has the link sees this brand${isFiltered(slice) ? ' within these filters' : ''}, without a key, to read only.
      ${' '}<a href=${link(sharePath(brand.id))}>Links that work</a>
    </p>
  </form>`;

const isFiltered = (slice: Slice): boolean => filtersIn(queryOf(slice)).length > 0;

const WINDOW = ['days', 'from', 'to'];
const filtersIn = (slice: object): [string, string][] =>
  Object.entries(slice).flatMap(([name, value]) => (WINDOW.includes(name) ? [] : [[name, String(value)]]));

/** The link, which is shown only now. */
export const madeLink = (address: string, { expiresAt }: ShareRow): Markup =>
  card(
    { id: 'link', title: 'The link' },
    html`
    <p><label for="address">Copy it now: it is not shown again.</label></p>
    <p><input id="address" class="address" readonly value=${address} /></p>
    <p class="hint">It works until ${dateTime(expiresAt)}, or until you revoke it. It ends with your key.</p>`,
  );

const MAX_LINKS = 100;

/** The newest links of a brand that work, each with the button that revokes it. */
export const workingLinks = (link: Link, brand: Brand, shares: readonly ShareRow[]): Markup =>
  card(
    { id: 'links', title: 'Links that work' },
    shares.length === 0
      ? empty('None.')
      : html`<ul class="links">${shares.slice(0, MAX_LINKS).map(
          (share) => html`
          <li>
            <form method="post" action=${link(revokeSharePath(brand.id, share.id))}>
              <span>Made on ${dateTime(share.createdAt)}, works until ${dateTime(share.expiresAt)} · ${filterWords(share)}</span>
              ${' '}<button type="submit" aria-label=${`Revoke the link made on ${plainTime(share.createdAt)}`}>Revoke</button>
            </form>
          </li>`,
        )}</ul>
        ${shares.length > MAX_LINKS ? html`<p class="foot">And ${shares.length - MAX_LINKS} older ones.</p>` : null}`,
  );

function filterWords({ slice }: ShareRow): Markup {
  const filters = filtersIn(slice);
  if (filters.length === 0) return 'the whole brand';
  return filters.map(([name, value], at) => {
    const values = value.split(',');
    const words = (name === 'engine' ? values.map((each) => engineName(each)) : values).join(', ');
    return html`${at === 0 ? '' : '; '}${name} ${userText(words, 120)}`;
  });
}

/** The way back to the page of the brand. */
export const backToBrand = (link: Link, brand: Brand, slice?: Slice): Markup =>
  html`<a href=${link(withQuery(brandPath(brand.id), slice ? queryOf(slice) : {}))}>${userText(brand.name, 60)}</a>`;
