/** The brand and one competitor: metrics next to each other, and what only one of the two has. */
import { title } from '../../../../contract/glossary.js';
import { type EntityMeasure, entityMeasureNames } from '../../../../contract/measures.js';
import type { Answer } from '../../../../contract/reads/answers.js';
import type { Competitor } from '../../../../contract/reads/competitors.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type NewestAnswers, whichAnswers } from '../newest-answers.js';
import { type Card, card, define, empty } from '../parts/card.js';
import { changeMark, reasons } from '../parts/change.js';
import { bounds, decimal, formatOf, numberField, rowName } from '../parts/numbers.js';
import { aboutOf, noun, truncated, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';
import { names } from './domain.js';

const MAX_ROWS = 12;

/** The two rows of the read, with their places. */
interface Side {
  readonly row: Competitor;
  readonly at: number;
}

const sideOf = (rows: readonly Competitor[], is: (row: Competitor) => boolean): Side => {
  const at = rows.findIndex(is);
  return { row: rows[at]!, at };
};

export const METRICS: Card = { id: 'metrics', title: 'Side by side', wide: true };

export function metrics(read: Loaded<'competitors'>, rival: string): Markup {
  const { body } = read;
  const rows = body.competitors;
  const sides = [sideOf(rows, (row) => row.is_brand), sideOf(rows, (row) => row.id === rival)];
  const cell = (measure: EntityMeasure, { row, at }: Side): Markup => {
    const field = `competitors.${rowName(row.id, at)}`;
    return html`<td class="number">
      <strong>${numberField(`${field}.${measure}`, row[measure], formatOf(measure))}</strong>
      <small class="under">${bounds(`${field}.intervals.${measure}`, row.intervals[measure], formatOf(measure))}</small>
      <small class="under">${changeMark(`${field}.change`, measure, row.change[measure])}</small></td>`;
  };
  const position = ({ row, at }: Side): Markup =>
    html`<td class="number"><strong>${numberField(`competitors.${rowName(row.id, at)}.avg_position`, row.avg_position, decimal)}</strong></td>`;
  return card(
    { ...METRICS, about: aboutOf(body), read },
    html`<div class="scroll" tabindex="0" role="group" aria-label="Side by side"><table>
      <thead><tr><th scope="col">Metric</th>${sides.map(({ row }) => html`<th scope="col" class="number">${userText(row.name, 40)}</th>`)}</tr></thead>
      <tbody>
        ${entityMeasureNames.map((measure) => html`<tr><th scope="row">${title(measure)} ${define(title(measure), measure)}</th>${sides.map((side) => cell(measure, side))}</tr>`)}
        <tr><th scope="row">${title('avg_position')} <small>1 is best</small></th>${sides.map(position)}</tr>
      </tbody>
    </table></div>
    ${reasonsOf(sides[0]!.row)}`,
  );
}

/** Why changes are not known: it depends on the runs, which are those of both. */
const reasonsOf = ({ change: changes }: Competitor): Markup =>
  reasons(entityMeasureNames.map((measure) => [title(measure), changes[measure]]));

// What only one of the two has, counted in the answers that were read.

interface Tally {
  /** Answers. */
  all: number;
  /** Those that name the one, and the other. */
  brand: number;
  rival: number;
}

function tallied(
  answers: readonly Answer[],
  rival: string,
  keysOf: (answer: Answer) => readonly string[],
): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  for (const answer of answers)
    for (const key of new Set(keysOf(answer))) {
      const tally = tallies.get(key) ?? { all: 0, brand: 0, rival: 0 };
      tally.all++;
      if (answer.brand_present) tally.brand++;
      if (names(answer, rival)) tally.rival++;
      tallies.set(key, tally);
    }
  return tallies;
}

type Which = 'brand' | 'rival';

/** What has answers that name the one, and none that names the other; the most first. */
const onlyOf = (tallies: ReadonlyMap<string, Tally>, one: Which, other: Which): [string, Tally][] =>
  [...tallies]
    .filter(([, tally]) => tally[one] > 0 && tally[other] === 0)
    .sort(([, a], [, b]) => b[one] - a[one] || a.all - b.all);

interface Names {
  readonly brand: string;
  readonly rival: string;
}

/** Prompts whose answers name one of the two and not the other. */
export function wonPrompts(
  read: NewestAnswers,
  rival: string,
  named: Names,
  promptOf: ReadonlyMap<string, string>,
  leads: Leads,
): Markup {
  const tallies = tallied(read.answers, rival, ({ prompt_id }) =>
    promptOf.has(prompt_id) ? [prompt_id] : [],
  );
  const item = (id: string): Markup =>
    html`<a href=${leads.prompt(id)}>${userText(promptOf.get(id)!, 160)}</a>`;
  return onlyCards(read, tallies, named, item, {
    id: 'prompts',
    title: 'Prompts whose answers name',
    none: 'No prompt.',
  });
}

/** Domains that only answers cite which name one of the two. */
export function wonSources(read: NewestAnswers, rival: string, named: Names, leads: Leads): Markup {
  const tallies = tallied(read.answers, rival, ({ citations }) =>
    citations.map(({ domain }) => domain).filter((domain) => domain !== ''),
  );
  const item = (domain: string): Markup => html`<a href=${leads.domain(domain)}>${userText(domain, 60)}</a>`;
  return onlyCards(read, tallies, named, item, {
    id: 'sources',
    title: 'Sources whose answers name',
    none: 'No domain.',
  });
}

interface OnlyCards {
  readonly id: string;
  /** Before the name. */
  readonly title: string;
  readonly none: string;
}

function onlyCards(
  read: NewestAnswers,
  tallies: ReadonlyMap<string, Tally>,
  named: Names,
  item: (key: string) => Markup,
  { id, title: before, none }: OnlyCards,
): Markup {
  const one = (which: Which, other: Which): Markup => {
    const only = onlyOf(tallies, which, other);
    return card(
      {
        id: `${id}-${which}`,
        title: `${before} ${truncated(named[which], 40)} and not ${truncated(named[other], 40)}`,
        about: aboutOf(read.first),
      },
      html`${
        only.length === 0
          ? empty(read.answers.length === 0 ? 'No answer was collected in these days.' : none)
          : html`<ul class="plain">${only.slice(0, MAX_ROWS).map(([key, tally]) => html`<li>${item(key)} <small>${tally[which]} of ${tally.all} ${noun(tally.all, 'answer')}</small></li>`)}</ul>`
      }
      <p class="foot">${only.length > MAX_ROWS ? `The first ${MAX_ROWS} of ${only.length}. ` : ''}Of ${whichAnswers(read)}.</p>`,
    );
  };
  return html`${one('rival', 'brand')} ${one('brand', 'rival')}`;
}
