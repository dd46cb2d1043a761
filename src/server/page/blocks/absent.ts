/** Block 6: prompts where the brand is absent, and who is cited there instead. */
import type { Prompt } from '../../../contract/reads/prompts.js';
import { html, type Markup } from '../html.js';
import { card, empty } from '../parts/card.js';
import { datum, percent, rowName, whole } from '../parts/datum.js';
import { said } from '../parts/text.js';
import type { Loaded } from '../reads.js';

type Coverage = Loaded<'content-coverage'>['body']['prompts'][number];

const MOST_ABSENT = 12;
const MOST_PROMPTS = 100;

/** The address of the page of a prompt. */
export type PromptLink = (prompt: string) => string;

export function absent(
  prompts: Loaded<'prompts'>,
  coverage: Loaded<'content-coverage'>,
  linkOf: PromptLink,
): Markup {
  const all = prompts.body.prompts;
  const missing = all.filter(({ presence_rate }) => presence_rate === 0);
  return card(
    { id: 'absent', title: 'Prompts where the brand is absent', about: 'Last 7 days', wide: true },
    html`
    ${missing.length === 0 ? empty('The brand is named on every prompt that was asked.') : winnersTable(missing, coverage, linkOf)}
    ${missing.length > MOST_ABSENT ? html`<p class="foot">And ${missing.length - MOST_ABSENT} more.</p>` : null}
    ${all.length === 0 ? null : promptTable(prompts, linkOf)}`,
  );
}

const winnersTable = (
  missing: readonly Prompt[],
  { body, source }: Loaded<'content-coverage'>,
  linkOf: PromptLink,
): Markup => html`
  <div class="scroll" tabindex="0" role="group" aria-label="Prompts where the brand is absent" data-source=${source}>
    <table>
      <thead><tr><th scope="col">Prompt</th><th scope="col" class="number">Answers</th><th scope="col">Cited instead</th></tr></thead>
      <tbody>
        ${missing.slice(0, MOST_ABSENT).map(({ id, text }) => {
          const at = body.prompts.findIndex(({ prompt_id }) => prompt_id === id);
          return html`<tr>
            <th scope="row"><a href=${linkOf(id)}>${said(text)}</a></th>
            ${at < 0 ? html`<td></td><td></td>` : instead(body.prompts[at]!, at)}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;

function instead({ prompt_id, run_count, winners }: Coverage, at: number): Markup {
  const field = `content-coverage.${rowName(prompt_id, at)}`;
  return html`<td class="number">${datum(`${field}.run_count`, run_count)}</td>
    <td class="words">${winners.length === 0 ? 'nobody' : winners.map(({ domain, citations }, place) => html`<span class="winner">${said(domain, 60)} <small>${datum(`${field}.winners.${rowName(domain, place)}.citations`, citations)}</small></span> `)}</td>`;
}

const promptTable = ({ body: { prompts }, source }: Loaded<'prompts'>, linkOf: PromptLink): Markup => html`
  <details class="numbers">
    <summary>All ${whole(prompts.length)} prompts</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="All prompts" data-source=${source}>
      <table>
        <thead><tr><th scope="col">Prompt</th><th scope="col" class="number">Presence</th><th scope="col" class="number">Visibility</th><th scope="col" class="number">Answers</th></tr></thead>
        <tbody>
          ${prompts.slice(0, MOST_PROMPTS).map(
            ({ id, text, presence_rate, visibility, run_count }, at) => html`<tr>
              <th scope="row"><a href=${linkOf(id)}>${said(text)}</a></th>
              <td class="number">${datum(`prompts.${rowName(id, at)}.presence_rate`, presence_rate, percent)}</td>
              <td class="number">${datum(`prompts.${rowName(id, at)}.visibility`, visibility)}</td>
              <td class="number">${datum(`prompts.${rowName(id, at)}.run_count`, run_count)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${prompts.length > MOST_PROMPTS ? html`<p class="foot">The first ${MOST_PROMPTS}; the API has all.</p>` : null}
  </details>`;
