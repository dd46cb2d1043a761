import { label } from '../../contract/glossary.js';
import type { shoppingPoint } from '../../contract/reads/shopping-trend.js';
import type { BodyOf } from '../../contract/registry.js';
import type { Infer } from '../../contract/schema.js';
import { readCommand } from '../base/read-command.js';
import type { Document } from '../render/document.js';
import { markedDay, today, UNFINISHED_MEANS } from '../render/today.js';
import { count, percent, position, type TableView, text } from '../render/view.js';

type Data = BodyOf<'shopping-trend'>;

type ShoppingPoint = Infer<typeof shoppingPoint>;

export default class ShoppingTrend extends readCommand('shopping-trend', {
  request: (svc, params, options) => svc.shoppingTrend(params, options),
  view: {
    table: pointsView,
    draw,
  },
}) {
  static override examples = ['<%= config.bin %> shopping-trend', '<%= config.bin %> shopping-trend --json'];
}

function draw(data: Data, document: Document): void {
  const { brand, window_days, days_observed, trend } = data;
  document.title(
    `Shopping trend · ${brand.name} · last ${window_days} days`,
    `${days_observed} of ${window_days} days with carousels; a day without has no row`,
  );
  document.table(null, pointsView(data), trend);
}

function pointsView({ trend }: Data): TableView<ShoppingPoint> {
  return {
    noun: 'carousels were captured in this window',
    ...(trend.at(-1)?.date === today() && { legend: UNFINISHED_MEANS }),
    columns: [
      text('date', ({ date }) => markedDay(date), { scale: 'UTC' }),
      count('carousels', ({ carousels }) => carousels),
      percent('with an own product', ({ own_carousel_share }) => own_carousel_share),
      percent('own product in slot 1', ({ own_win_share }) => own_win_share),
      position(`own ${label('avg_position')}`, ({ own_avg_position }) => own_avg_position),
    ],
  };
}
