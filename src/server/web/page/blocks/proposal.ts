/** What a change of the plan would do, and what a collection would send, before somebody confirms it. */
import type { Brand } from '../../../accounts/access.js';
import type { CatalogChange } from '../../../intake/dataset/apply-catalog.js';
import type { CollectionOffer, ProposedChange } from '../../../intake/plan-settings.js';
import { html, type Markup } from '../html.js';
import { card } from '../parts/card.js';
import type { Link } from '../parts/layout.js';
import { whole } from '../parts/numbers.js';
import { table } from '../parts/table.js';
import { engineName, longDay, noun, regionName, truncated, userText } from '../parts/text.js';
import { settingsPath } from '../paths.js';
import { changeForm, type FormName, type Values } from '../settings-forms.js';
import { costWords, dayWords } from './settings.js';

interface Place {
  readonly link: Link;
  readonly brand: Brand;
}

const problem = (text: string): Markup => html`<p class="problem" role="alert">${text}</p>`;

const back = ({ link, brand }: Place): Markup =>
  html`<a href=${link(settingsPath(brand.id))}>Back to the settings: nothing is changed</a>`;

// A change.

interface Proposal extends Place {
  readonly proposed: ProposedChange;
  /** The change, as it is sent again. */
  readonly change: string;
  /** Whether something else has changed since another one was shown. */
  readonly isAnew: boolean;
}

/** A change that was shown. */
interface Confirmed {
  readonly change: string;
  readonly token: string;
}

const confirmForm = ({ link, brand }: Place, { change, token }: Confirmed, button: string): Markup => html`
  <form method="post" action=${link(settingsPath(brand.id, 'write'))}>
    <input type="hidden" name="change" value=${change} />
    <input type="hidden" name="token" value=${token} />
    <button type="submit" class="primary">${button}</button>
  </form>`;

/** More changes of the database than these are counted. */
const MOST_ROWS = 100;

export function proposalCard({ link, brand, proposed, change, isAnew }: Proposal): Markup {
  const { words, notes, changes, file, lines, moreLines, day, token } = proposed;
  const isSame = day.before.calls === day.after.calls && day.before.usd === day.after.usd;
  return card(
    { id: 'change', title: userTitle(words), about: 'not written yet' },
    html`${isAnew ? problem('The file or the database was changed meanwhile, so nothing was written. This is what your change does now.') : null}
    ${notes.map((note) => html`<p>${userText(note, 1000)}</p>`)}
    ${changes.length === 0 ? null : changesTable(changes)}
    <p>${dayWords(day.after)}${isSame ? null : ` Before: ${whole(day.before.calls)} ${noun(day.before.calls, 'call')}, ${costWords(day.before.usd)}.`}</p>
    ${confirmForm({ link, brand }, { change, token }, 'Write it')}
    <p>${back({ link, brand })}</p>
    ${
      lines.length === 0
        ? html`<p class="hint">The file stays as it is: only the database does not have this yet.</p>`
        : html`<h3>${userText(file, 120)}</h3>
          <pre class="difference" tabindex="0">${lines.map(({ sign, text }) => html`<span class=${sign === '-' ? 'bad' : 'good'}>${`${sign} ${truncated(text, 400)}\n`}</span>`)}</pre>
          ${moreLines > 0 ? html`<p class="hint">And ${whole(moreLines)} more ${noun(moreLines, 'line')}.</p>` : null}`
    }`,
  );
}

const userTitle = (words: string): string => truncated(words, 300);

const ACTIONS: Readonly<Record<CatalogChange['action'], string>> = {
  add: 'added',
  rename: 'renamed',
  change: 'changed',
  restore: 'tracked again',
  retire: 'retired; its answers stay',
  remove: 'removed',
};

function changesTable(changes: readonly CatalogChange[]): Markup {
  const more = changes.length - MOST_ROWS;
  return html`${table<CatalogChange>({
    label: 'What changes',
    rows: changes.slice(0, MOST_ROWS),
    columns: [
      { head: 'What', cell: ({ type, name }) => html`${type} ${userText(name, 240)}` },
      { head: 'Becomes', kind: 'words', cell: ({ action }) => ACTIONS[action] },
      { head: 'Fields', kind: 'minor', cell: fieldsOf },
    ],
  })}${more > 0 ? html`<p class="hint">And ${whole(more)} more.</p>` : null}`;
}

const fieldsOf = ({ action, fields }: CatalogChange): Markup =>
  action === 'add'
    ? null
    : userText(
        fields
          .map(
            ({ field, before, after }) =>
              `${field} ${before === null ? '' : `${before} → `}${after ?? 'none'}`,
          )
          .join('; '),
        400,
      );

/** A change that is refused, with what was typed, which can be corrected. */
export const refusedCard = (
  { link, brand }: Place,
  { message, name, values }: { readonly message: string; readonly name: FormName; readonly values: Values },
): Markup =>
  card(
    { id: 'refused', title: 'This cannot be written' },
    html`<p class="problem said-lines" role="alert">${message
      .split('\n')
      .slice(0, 20)
      .map((line) => html`${truncated(line, 600)}<br />`)}</p>
    ${changeForm({ link, brand: brand.id, name, values, id: 'again', button: 'Show the change' })}
    <p>${back({ link, brand })}</p>`,
  );

/** @param again What was sent, which can be sent again; if omitted, nothing. */
export const faultCard = (place: Place, message: string, again?: Confirmed): Markup =>
  card(
    { id: 'refused', title: 'Nothing was done' },
    html`${problem(truncated(message, 1000))}
    ${again === undefined ? null : confirmForm(place, again, 'Try again')}
    <p>${back(place)}</p>`,
  );

// A collection.

export function offerCard({
  link,
  brand,
  offer,
  isAnew,
}: Place & { readonly offer: CollectionOffer; readonly isAnew: boolean }): Markup {
  const { token, day, calls, sum, receivers, spentUsd, limits, obstacles } = offer;
  const most = [
    ...(limits.max_usd === null ? [] : [`$${limits.max_usd}`]),
    ...(limits.max_calls === null ? [] : [`${whole(limits.max_calls)} ${noun(limits.max_calls, 'call')}`]),
  ];
  return card(
    { id: 'collect', title: 'Collect now', about: longDay(day) },
    html`${isAnew ? problem('Something has changed meanwhile, so nothing was sent. This is what would be sent now.') : null}
    ${obstacles.length === 0 ? null : html`<div class="problem" role="alert">${obstacles.map((each) => html`<p>${userText(each, 600)}</p>`)}</div>`}
    ${
      calls.length === 0
        ? null
        : html`${table<CollectionOffer['calls'][number]>({
            label: 'Calls',
            rows: calls,
            columns: [
              {
                head: 'Asked',
                cell: ({ engine, region }) =>
                  engine === null
                    ? 'the model that finds names'
                    : `${engineName(engine)}${region === null || region === 'global' ? '' : `, ${regionName(region)}`}`,
              },
              { head: 'Calls', kind: 'number', cell: (row) => whole(row.calls) },
              {
                head: 'US dollars',
                kind: 'number',
                cell: ({ usd }) => (usd === null ? 'not known' : `about ${usd.toFixed(2)}`),
              },
            ],
          })}
          <p class="lead">${whole(sum.calls)} ${noun(sum.calls, 'call')}, ${costWords(sum.usd)}.</p>
          <p>${spentUsd > 0 ? `The calls of this day cost $${spentUsd.toFixed(2)} so far. ` : ''}${most.length === 0 ? 'The plan has no limit for a day.' : `At most ${most.join(' and ')} for the whole day, as the schedule says.`}</p>
          <p class="hint">The prompts go to ${userText(receivers.join(', '), 400)}.</p>`
    }
    <form method="post" action=${link(settingsPath(brand.id, 'collect'))}>
      ${
        obstacles.length > 0 || calls.length === 0
          ? null
          : html`<input type="hidden" name="token" value=${token} />
            <button type="submit" class="primary">${sum.usd === null ? 'Send the calls, whatever they cost' : 'Send the calls'}</button>`
      } ${back({ link, brand })}
    </form>`,
  );
}
