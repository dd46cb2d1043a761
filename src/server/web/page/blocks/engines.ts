/** Visibility on each engine: a small chart with its interval, and how the answers were collected. */
import type { EngineId } from '../../../../contract/engines.js';
import { label, valueLabel } from '../../../../contract/glossary.js';
import { html, type Markup } from '../html.js';
import type { Leads } from '../leads.js';
import { type Card, card, empty, fileLinks } from '../parts/card.js';
import { highest, lineChart } from '../parts/line-chart.js';
import { bounds, decimal, numberField, rowName } from '../parts/numbers.js';
import { shownRate } from '../parts/shown.js';
import { engineName, noun } from '../parts/text.js';
import type { Loaded } from '../reads.js';

/** The visibility of the brand on one engine, over the window of the page. */
export interface EngineReads {
  readonly engine: EngineId;
  readonly history: Loaded<'history'>;
  /** Null where the engine has no answer in the window. */
  readonly overview: Loaded<'overview'> | null;
}

export const ENGINES: Card = { id: 'engines', title: 'Where?', wide: true };

const SIZE = { width: 220, height: 64 };

export function engines(all: readonly EngineReads[], about: string | null, leads: Leads): Markup {
  const ran = all.filter(({ history }) => (history.body.series[0]?.window_run_count ?? 0) > 0);
  const silent = all.filter((each) => !ran.includes(each));
  const unshown = silent.filter(({ history }) => (history.body.shown?.asked_count ?? 0) > 0);
  const idle = silent.filter((each) => !unshown.includes(each));
  const intervals = ran.flatMap(({ history }) => history.body.series[0]!.interval ?? []);
  const top = Math.max(highest(ran.map(({ history }) => history.body.series[0]!)), ...intervals);
  return card(
    {
      ...ENGINES,
      about: `${about === null ? '' : `${about}, `}${label('visibility')} by engine`,
    },
    ran.length === 0
      ? empty('No engine answered in this window.')
      : html`<ul class="multiples">${ran.map((each) => multiple(each, top, leads))}</ul>
          <p class="foot">One scale for all; the shaded ranges are intervals.${among('Asked, but no answer was shown', unshown)}${among('Not asked in this window', idle)}</p>`,
  );
}

const among = (words: string, engines: readonly EngineReads[]): string =>
  engines.length === 0 ? '' : ` ${words}: ${engines.map(({ engine }) => engineName(engine)).join(', ')}.`;

function multiple(
  { engine, history: { body, source, files }, overview }: EngineReads,
  top: number,
  leads: Leads,
): Markup {
  const own = body.series[0]!;
  const field = `history.${rowName(own.id, 0)}`;
  const name = engineName(engine);
  return html`<li data-source=${source}>
    <h3><a href=${leads.engine(engine)}>${name}</a> ${overview === null ? null : collectedHow(overview)}</h3>
    <p><strong>${numberField(`${field}.window_value`, own.window_value, decimal)}</strong> <small>${own.interval === null ? null : html`${bounds(`${field}.interval`, own.interval, decimal)}, `}${numberField(`${field}.window_run_count`, own.window_run_count)} ${noun(own.window_run_count, 'answer')}</small></p>
    ${body.shown === null ? null : html`<p class="under">${shownRate('history.shown', body.shown)}</p>`}
    ${lineChart({
      id: `engine-${engine}`,
      title: `Visibility on ${name} by day`,
      description: `${body.window.start} to ${body.window.end}`,
      lines: [own],
      band: own.interval,
      size: SIZE,
      top,
      bare: true,
    })}
    ${files === undefined ? null : fileLinks(`Visibility on ${name}`, files)}
  </li>`;
}

/** `collected: API`; with several ways, the number of answers of each. */
function collectedHow({ body, source }: Loaded<'overview'>): Markup {
  const known = body.surfaces.map((each, at) => ({ ...each, at })).filter(({ surface }) => surface !== null);
  if (known.length === 0) return null;
  const isOne = body.surfaces.length === 1;
  return html`<small class="under" data-source=${source}>collected: ${known.map(
    ({ surface, run_count, at }, place) =>
      html`${place === 0 ? '' : ', '}${valueLabel('surface', surface!)}${isOne ? null : html` ${numberField(`overview.surfaces.${at}.run_count`, run_count)}`}`,
  )}</small>`;
}
