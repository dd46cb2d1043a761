import { type ShoppingTrend, shoppingPoint } from '../../contract/reads/shopping-trend.js';
import type { Infer } from '../../contract/schema.js';
import { date } from '../render/columns.js';
import type { Paper } from '../render/document.js';
import type { SheetView } from '../render/object-format.js';
import { count, percent, position, type TableView } from '../render/view.js';

export type ShoppingPoint = Infer<typeof shoppingPoint>;

export const shoppingTrendView: SheetView<ShoppingTrend, ShoppingPoint> = {
  schema: shoppingPoint,
  rows: ({ trend }) => trend,
  table: () => pointsView,
  draw,
};

function draw({ brand, window_days, days_observed, trend }: ShoppingTrend, paper: Paper): void {
  paper.title(
    `Shopping trend · ${brand.name} · last ${window_days} days`,
    `${days_observed} of ${window_days} days with carousels; a day without has no row`,
  );
  paper.table(null, pointsView, trend);
}

const pointsView: TableView<ShoppingPoint> = {
  noun: 'carousels were captured in this window',
  columns: [
    date(),
    count('carousels', ({ carousels }) => carousels),
    percent('with an own product', ({ own_carousel_share }) => own_carousel_share),
    percent('own product in slot 1', ({ own_win_share }) => own_win_share),
    position('own avg position', ({ own_avg_position }) => own_avg_position),
  ],
};
