/** The searches that engines ran for the answers to a prompt. */
import { label } from '../../../contract/glossary.js';
import { html, type Markup } from '../html.js';
import { card, empty } from '../parts/card.js';
import { numberField, rowName } from '../parts/numbers.js';
import { aboutOf, engineName, noun, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

const MAX_ROWS = 10;

export function searches(read: Loaded<'fanouts'>, prompt: string): Markup {
  const { body } = read;
  const rows = body.fanouts
    .map((fanout, at) => ({ ...fanout, at }))
    .filter(({ prompts }) => prompts.includes(prompt));
  return card(
    {
      id: 'searches',
      title: 'Searches behind the answers',
      about: aboutOf({ ...body, slice: null }),
      read,
    },
    rows.length === 0
      ? empty('No engine stated a search for this prompt.')
      : html`<ul class="plain">${rows
          .slice(0, MAX_ROWS)
          .map(
            ({ query, runs, engines, is_echo, at }) =>
              html`<li>${userText(query, 120)} <small>${numberField(`fanouts.${rowName(query, at)}.runs`, runs)} ${noun(runs, 'answer')}, ${engines.map(engineName).join(', ')}${is_echo ? `, ${label('repeatsPrompt')}` : ''}</small></li>`,
          )}</ul>`,
  );
}
