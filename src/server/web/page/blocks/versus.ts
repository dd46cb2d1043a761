/** The brand and one competitor: metrics next to each other. */
import { title } from '../../../../contract/glossary.js';
import { entityMeasureNames } from '../../../../contract/measures.js';
import type { Competitor } from '../../../../contract/reads/competitors.js';
import { html, type Markup } from '../html.js';
import { type Card, card } from '../parts/card.js';
import { changeOf, reasons } from '../parts/change.js';
import { bounds, decimal, formatOf, numberField, rowName } from '../parts/numbers.js';
import { define } from '../parts/pop.js';
import { table } from '../parts/table.js';
import { aboutOf, userText } from '../parts/text.js';
import type { Loaded } from '../reads.js';

export const METRICS: Card = { id: 'metrics', title: 'Side by side' };

export function sideBySide(read: Loaded<'competitors'>, rival: string): Markup {
  const rows = read.body.competitors;
  const sides = [rows.findIndex((row) => row.is_brand), rows.findIndex((row) => row.id === rival)].map(
    (at) => ({ row: rows[at]!, at }),
  );
  const field = ({ row, at }: { row: Competitor; at: number }) => `competitors.${rowName(row.id, at)}`;
  return card(
    { ...METRICS, about: aboutOf(read.body), read },
    html`${table({
      label: METRICS.title,
      rows: [...entityMeasureNames, 'avg_position' as const],
      columns: [
        {
          head: 'Metric',
          cell: (name) =>
            html`${title(name)} ${name === 'avg_position' ? html`<small>1 is best</small>` : define(title(name), name)}`,
        },
        ...sides.map((side) => ({
          head: userText(side.row.name, 40),
          kind: 'number' as const,
          cell: (name: (typeof entityMeasureNames)[number] | 'avg_position') =>
            name === 'avg_position'
              ? numberField(`${field(side)}.avg_position`, side.row.avg_position, decimal)
              : html`<strong>${numberField(`${field(side)}.${name}`, side.row[name], formatOf(name))}</strong>
                <small class="under">${bounds(`${field(side)}.intervals.${name}`, side.row.intervals[name], formatOf(name))}</small>
                <small class="under">${changeOf({ metric: name, now: side.row[name], before: side.row.change[name].previous, verdict: side.row.change[name].verdict, isOwn: side.row.is_brand })}</small>`,
        })),
      ],
    })}
    ${reasons(entityMeasureNames.map((measure) => [title(measure), sides[0]!.row.change[measure]]))}`,
  );
}
