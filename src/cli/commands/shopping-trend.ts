import { label } from '../../contract/glossary.js';
import { type shoppingPoint, shoppingTrend } from '../../contract/reads/shopping-trend.js';
import type { Infer } from '../../contract/schema.js';
import { ApiCommand } from '../base/api-command.js';
import { readFlags } from '../base/flags.js';
import { printRead } from '../base/read.js';
import type { Document } from '../render/document.js';
import { count, percent, position, type TableView, text } from '../render/view.js';
import { markedDay, today, UNFINISHED_MEANS } from '../render/wording.js';

type Data = Infer<typeof shoppingTrend.response>;

type ShoppingPoint = Infer<typeof shoppingPoint>;

export default class ShoppingTrend extends ApiCommand {
  static override inHelp = { group: 'SHOPPING AND ADS', place: 2 };
  static override summary = shoppingTrend.summary;
  static override examples = ['<%= config.bin %> shopping-trend', '<%= config.bin %> shopping-trend --json'];
  static override flags = readFlags(shoppingTrend);

  override async run(): Promise<void> {
    const { flags } = await this.parse(ShoppingTrend);
    return printRead(this, flags, shoppingTrend, {
      request: (svc, params, options) => svc.shoppingTrend(params, options),
      view: {
        table: pointsView,
        draw,
      },
    });
  }
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
