import { shoppingPoint, shoppingTrend } from '../../contract/reads/shopping-trend.js';
import { readCommand } from '../base/read-command.js';
import { columnsOf } from '../render/view.js';
import { markedDay, today, UNFINISHED_MEANS } from '../render/wording.js';

const column = columnsOf(shoppingPoint);

export default readCommand(shoppingTrend, {
  inHelp: { group: 'SHOPPING AND ADS', place: 2 },
  examples: ['', '--json'],
  request: (svc) => svc.shoppingTrend,
  title: ({ brand, window_days, days_observed }) => [
    `Shopping trend · ${brand.name} · last ${window_days} days`,
    `${days_observed} of ${window_days} days with carousels; a day without has no row`,
  ],
  table: ({ trend }) => ({
    noun: 'carousels were captured in this window',
    ...(trend.at(-1)?.date === today() && { legend: UNFINISHED_MEANS }),
    columns: [
      column('date', { text: ({ date }) => markedDay(date), scale: 'UTC' }),
      column('carousels'),
      column('own_carousel_share'),
      column('own_win_share'),
      column('own_avg_position'),
    ],
  }),
});
