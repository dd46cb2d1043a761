/** Why visibility changed, by what tells most: a waterfall from the window before to this one, leading to answers. */
import { capital, title } from '../../../../contract/glossary.js';
import { differenceText } from '../../../../contract/measures.js';
import type { Driver } from '../../../../contract/reads/why.js';
import {
  becauseOf,
  type Waterfall,
  type WaterfallStep,
  waterfallOf,
} from '../../../../contract/waterfall.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, define, empty, noteOf } from '../parts/card.js';
import { formatOf, numberField, rowName } from '../parts/numbers.js';
import { noun, span, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const WHY: Card = { id: 'why', title: 'Why visibility changed', wide: true };

/** The parameters of the block besides those of the slice: as many drivers as it has steps for. */
export const WHY_ASKED = { metric: 'visibility', limit: '5' } as const;

type Body = Loaded<'why'>['body'];

export function why(read: Loaded<'why'>, leads: Leads): Markup {
  const { body } = read;
  const { window, previous_window, drivers } = body;
  const waterfall = waterfallOf(body, drivers.length);
  return card(
    {
      ...WHY,
      about: `${span(window.start, window.end)}, against ${span(previous_window.start, previous_window.end)}`,
      read,
    },
    html`
    ${waterfall === null || drivers.length === 0 ? null : steps(body, waterfall, leads)}
    ${waterfall === null || drivers.length === 0 ? null : partsOf(body)}
    ${because(body)}
    ${body.circumstances.length === 0 ? null : html`<ul class="foot reasons">${body.circumstances.map(({ text }) => html`<li>In the same days: ${userText(text, 300)}</li>`)}</ul>`}
    ${body.reason === null ? null : html`<p class="foot">Change unknown: ${userText(body.reason, 400)}</p>`}
    ${noteOf(body) ?? (waterfall === null ? empty('There is no change to explain.') : null)}`,
  );
}

const steps = (body: Body, waterfall: Waterfall, leads: Leads): Markup => html`
  <div class="scroll" tabindex="0" role="group" aria-label=${WHY.title}><table class="waterfall">
    <thead><tr><th scope="col">${capital(body.by)}</th><th scope="col" class="number">Part ${define('Part', 'why.total')}</th><th scope="col"><span class="aural">From before to after</span></th><th scope="col">${title('answers')}</th></tr></thead>
    <tbody>${waterfall.steps.map((step) => row(body, waterfall, step, leads))}</tbody>
  </table></div>
  ${waterfall.low > 0 ? html`<p class="foot">The bars begin at ${formatOf(body.metric)(waterfall.low)}, not at 0.</p>` : null}`;

const row = (body: Body, waterfall: Waterfall, step: WaterfallStep, leads: Leads): Markup => html`<tr>
    <th scope="row">${nameOf(body, step, leads)}</th>
    <td class="number">${amountOf(body, step)}</td>
    <td class="fall">${barOf(waterfall, step)}</td>
    <td>${step.driver ? evidenceOf(step.driver, leads) : null}</td></tr>`;

function nameOf({ by }: Body, { kind, driver, cells = 0 }: WaterfallStep, leads: Leads): Markup {
  if (kind === 'rest') return `${cells} ${noun(cells, 'other')}`;
  if (!driver) return kind === 'before' ? 'Before' : 'After';
  const { id, name, verdict, kind: when } = driver;
  const text = userText(name, 120);
  const state =
    when === 'both' ? null : html` <small>${when === 'new' ? 'new' : 'not asked any more'}</small>`;
  const mark =
    verdict === 'up' || verdict === 'down'
      ? html`<span class=${`verdict ${verdict}`}><span class="aural">${verdict}</span></span>`
      : null;
  const lead = id === null ? null : leadOf(by, id, leads);
  return html`${mark}${lead === null ? text : html`<a href=${lead}>${text}</a>`}${state}`;
}

/** The page of a driver; null: there is none. */
function leadOf(by: Body['by'], id: string, leads: Leads): string | null {
  if (by === 'prompt') return leads.prompt(id);
  return by === 'engine' ? leads.engine(id) : null;
}

/** A number of the read, with the name of its field. */
function amountOf(body: Body, { kind, driver }: WaterfallStep): Markup {
  const { metric, drivers, rest } = body;
  const signed = (value: number): string => differenceText(metric, value);
  if (driver) {
    const name = rowName(driver.id ?? '', drivers.indexOf(driver));
    return numberField(`why.drivers.${name}.total`, driver.total, signed);
  }
  if (kind === 'rest') return numberField('why.rest.total', rest.total, signed);
  return html`<strong>${numberField(`why.${kind}`, body[kind as 'before' | 'after'], formatOf(metric))}</strong>`;
}

/** Decoration, since the number is next to it. */
function barOf({ low, high }: Waterfall, { kind, from, to }: WaterfallStep): Markup {
  const at = (value: number): number => Math.round((1000 * (value - low)) / (high - low)) / 10;
  const [start, end] = [at(Math.min(from, to)), at(Math.max(from, to))];
  const look = kind === 'driver' ? (to < from ? 'less' : 'more') : kind;
  return html`<svg class=${`step ${look}`} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect x=${start} width=${Math.max(0.5, Math.round(10 * (end - start)) / 10)} height="10" />
    </svg>`;
}

/** The newest answer of the window, and of the one before; the page of the prompt has the others. */
function evidenceOf({ evidence: { after, before } }: Driver, leads: Leads): Markup {
  const links = Object.entries({ now: after[0], before: before[0] }).filter(([, id]) => id !== undefined);
  return html`<small>${links.map(([when, id], at) => html`${at === 0 ? '' : ' · '}<a href=${leads.answer(id!)}>${when}</a>`)}</small>`;
}

const PARTS = {
  rate: 'the answers changed',
  mix: 'some were asked more or less often',
  panel: 'some are new or not asked any more',
} as const;

const partsOf = ({ metric, parts }: Body): Markup =>
  parts === null
    ? null
    : html`<p class="foot">Because ${Object.entries(PARTS).map(([name, words], at) => html`${at === 0 ? '' : '; '}${words}: ${numberField(`why.parts.${name}`, parts[name as keyof typeof PARTS], (value) => differenceText(metric, value))}`)}.</p>`;

/** Only what is more than chance is named as a reason. */
const because = (body: Body): Markup => {
  const reasons = becauseOf(body);
  return reasons === null ? null : html`<p class="lead">${userText(reasons, 400)}</p>`;
};
