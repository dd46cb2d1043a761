/** Prompts where the brand is absent, and the domains that are cited there. */
import { title } from '../../../../contract/glossary.js';
import type { Prompt } from '../../../../contract/reads/prompts.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty, unmeasured } from '../parts/card.js';
import { formatOf, notMeasured, numberField, rowName, whole } from '../parts/numbers.js';
import { aboutOf, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';
import { domainLink } from './sources.js';

type Coverage = Loaded<'content-coverage'>['body']['prompts'][number];

const MAX_ABSENT = 12;
const MAX_PROMPTS = 30;

export const ABSENT: Card = { id: 'absent', title: title('absentPrompts'), wide: true };

/** Whether a prompt is among those that the page is about. */
type IsChosen = (prompt: Prompt) => boolean;
/** Its topic and tags, as links. */
type LabelsOf = (prompt: Prompt) => Markup;

export function absent(
  prompts: Loaded<'prompts'>,
  coverage: Loaded<'content-coverage'> | null,
  leads: Leads,
  isChosen: IsChosen = () => true,
  labelsOf: LabelsOf = () => null,
): Markup {
  const all = prompts.body.prompts.filter(isChosen);
  const asked = all.filter(({ run_count }) => run_count > 0);
  const missing = asked
    .filter(({ presence_rate }) => presence_rate === 0)
    .sort((a, b) => b.run_count - a.run_count);
  return card(
    { ...ABSENT, about: aboutOf(prompts.body), read: prompts },
    html`
    ${
      missing.length > 0
        ? winnersTable(prompts, missing, coverage, leads)
        : asked.length > 0
          ? empty('The brand is named on every prompt that was asked.')
          : unmeasured(prompts.body, 'No prompt was asked in this window.')
    }
    ${missing.length > MAX_ABSENT ? html`<p class="foot">And ${missing.length - MAX_ABSENT} more.</p>` : null}
    ${all.length === 0 ? null : promptTable(prompts, all, leads, labelsOf)}`,
  );
}

/** @param coverage Who is cited: known of all engines with web search, so null under an engine filter. */
const winnersTable = (
  { body: { prompts }, source }: Loaded<'prompts'>,
  missing: readonly Prompt[],
  coverage: Loaded<'content-coverage'> | null,
  leads: Leads,
): Markup => html`
  <div class="scroll" tabindex="0" role="group" aria-label=${title('absentPrompts')} data-source=${source}>
    <table>
      <thead><tr><th scope="col">${title('prompt')}</th><th scope="col" class="number">${title('answers')}</th>${coverage === null ? null : html`<th scope="col">${title('mostCitedElsewhere')}, citations</th>`}</tr></thead>
      <tbody>
        ${missing.slice(0, MAX_ABSENT).map(({ id, text, run_count }) => {
          const field = `prompts.${rowName(
            id,
            prompts.findIndex((each) => each.id === id),
          )}`;
          return html`<tr>
            <th scope="row"><a href=${leads.prompt(id)}>${userText(text)}</a></th>
            <td class="number">${numberField(`${field}.run_count`, run_count)}</td>
            ${coverage === null ? null : html`<td class="words" data-source=${coverage.source}>${mostCited(coverage.body.prompts, id, leads)}</td>`}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;

function mostCited(prompts: readonly Coverage[], id: string, leads: Leads): Markup {
  const at = prompts.findIndex(({ prompt_id }) => prompt_id === id);
  const covered = prompts[at];
  if (!covered || covered.run_count === 0) return notMeasured();
  const field = `content-coverage.${rowName(id, at)}`;
  return covered.winners.length === 0
    ? 'nobody'
    : covered.winners.map(
        ({ domain, citations }, place) =>
          html`<span class="elsewhere">${domainLink(domain, leads)} <small>${numberField(`${field}.winners.${rowName(domain, place)}.citations`, citations)}</small></span> `,
      );
}

const promptTable = (
  { body: { prompts }, source }: Loaded<'prompts'>,
  chosen: readonly Prompt[],
  leads: Leads,
  labelsOf: LabelsOf,
): Markup => html`
  <details class="numbers">
    <summary>${chosen.length === 1 ? 'The prompt' : `All ${whole(chosen.length)} prompts`}</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="All prompts" data-source=${source}>
      <table class="figures">
        <thead><tr>${[title('prompt'), title('presence_rate'), title('visibility'), title('answers')].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
        <tbody>
          ${chosen.slice(0, MAX_PROMPTS).map((prompt) => {
            const { id, text, presence_rate, visibility, run_count } = prompt;
            const field = `prompts.${rowName(id, prompts.indexOf(prompt))}`;
            return html`<tr>
              <th scope="row"><a href=${leads.prompt(id)}>${userText(text)}</a> ${labelsOf(prompt)}</th>
              <td>${numberField(`${field}.presence_rate`, presence_rate, formatOf('presence_rate'))}</td>
              <td>${numberField(`${field}.visibility`, visibility)}</td>
              <td>${numberField(`${field}.run_count`, run_count)}</td>
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    ${chosen.length > MAX_PROMPTS ? html`<p class="foot">The first ${MAX_PROMPTS}; the API has all.</p>` : null}
  </details>`;
