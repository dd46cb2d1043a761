/** Block 5: visibility on each engine, as small multiples with one scale. */
import type { EngineId } from '../../../contract/engines.js';
import { html, type Markup } from '../html.js';
import { card, empty } from '../parts/card.js';
import { datum, decimal, rowName } from '../parts/datum.js';
import { highest, lineChart } from '../parts/line-chart.js';
import { engineName, noun } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export interface EngineHistory {
  readonly engine: EngineId;
  readonly history: Loaded<'history'>;
}

const SIZE = { width: 220, height: 64 };

export function engines(all: readonly EngineHistory[], about: string | null): Markup {
  const ran = all.filter(({ history }) => (history.body.series[0]?.window_run_count ?? 0) > 0);
  const idle = all.filter((each) => !ran.includes(each));
  const top = highest(ran.map(({ history }) => history.body.series[0]!));
  return card(
    { id: 'engines', title: 'Visibility by engine', about, wide: true },
    ran.length === 0
      ? empty('No engine answered in this window.')
      : html`<ul class="multiples">${ran.map((each) => multiple(each, top))}</ul>
          ${idle.length === 0 ? null : html`<p class="foot">Not asked in this window: ${idle.map(({ engine }) => engineName(engine)).join(', ')}.</p>`}`,
  );
}

function multiple({ engine, history: { body, source } }: EngineHistory, top: number): Markup {
  const own = body.series[0]!;
  const field = `history.${rowName(own.id, 0)}`;
  const name = engineName(engine);
  return html`<li data-source=${source}>
    <h3>${name}</h3>
    <p><strong>${datum(`${field}.window_value`, own.window_value, decimal)}</strong> <small>${datum(`${field}.window_run_count`, own.window_run_count)} ${noun(own.window_run_count, 'answer')}</small></p>
    ${lineChart({
      id: `engine-${engine}`,
      title: `Visibility on ${name} by day`,
      description: `${body.window.start} to ${body.window.end}`,
      lines: [own],
      size: SIZE,
      top,
      bare: true,
    })}
  </li>`;
}
