import { label } from '../../contract/glossary.js';
import { shoppingTrend } from '../../contract/reads/shopping-trend.js';
import { readCommand } from '../base/read-command.js';
import { count, percent, position, text } from '../render/view.js';
import { markedDay, today, UNFINISHED_MEANS } from '../render/wording.js';

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
      text('date', ({ date }) => markedDay(date), { scale: 'UTC' }),
      count('carousels', ({ carousels }) => carousels),
      percent('with an own product', ({ own_carousel_share }) => own_carousel_share),
      percent('own product in slot 1', ({ own_win_share }) => own_win_share),
      position(`own ${label('avg_position')}`, ({ own_avg_position }) => own_avg_position),
    ],
  }),
});
