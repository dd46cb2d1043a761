/** The searches that engines ran for answers. */
import { label } from '../../../../contract/glossary.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty } from '../parts/card.js';
import { numberField, rowName } from '../parts/numbers.js';
import { aboutOf, engineName, noun, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

const MAX_ROWS = 10;

export const SEARCHES: Card = { id: 'searches', title: 'Searches behind the answers' };

/** @param prompt Only those for this prompt; null: for any. */
export function searches(read: Loaded<'fanouts'>, prompt: string | null, leads: Leads): Markup {
  const { body } = read;
  const rows = body.fanouts
    .map((fanout, at) => ({ ...fanout, at }))
    .filter(({ prompts }) => prompt === null || prompts.includes(prompt));
  return card(
    { ...SEARCHES, about: aboutOf({ ...body, slice: null }), read },
    rows.length === 0
      ? empty(`No engine stated a search${prompt === null ? '' : ' for this prompt'}.`)
      : html`<ul class="plain">${rows
          .slice(0, MAX_ROWS)
          .map(
            ({ query, runs, engines, prompts, is_echo, at }) =>
              html`<li>${userText(query, 120)} <small>${numberField(`fanouts.${rowName(query, at)}.runs`, runs)} ${noun(runs, 'answer')}, ${engines.map((id, place) => html`${place === 0 ? '' : ', '}<a href=${leads.engine(id)}>${engineName(id)}</a>`)}${prompt === null ? promptsOf(prompts, leads) : null}${is_echo ? `, ${label('repeatsPrompt')}` : ''}</small></li>`,
          )}</ul>`,
  );
}

/** How many prompts it was run for; they lead to their answers. */
function promptsOf(ids: readonly string[], leads: Leads): Markup {
  const [only] = ids;
  if (only === undefined) return null;
  const words = `${ids.length} ${noun(ids.length, 'prompt')}`;
  const target = ids.length === 1 ? leads.prompt(only) : leads.prompts(ids);
  return html`, on ${target === null ? words : html`<a href=${target}>${words}</a>`}`;
}
