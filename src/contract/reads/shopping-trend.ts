import { brand } from '../params.js';
import { brandRef, caveats, defineRead, windowDays } from '../read.js';
import { count, fraction, type Infer, list, nullable, number, object, part, text } from '../schema.js';
import { lastDaysParam } from '../slice.js';
import { lastDays } from '../wording.js';
import { carousels, carouselsObservable, ownAvgPosition } from './shopping.js';

export const shoppingPoint = part('The shopping carousels of a day', {
  date: text('UTC day, YYYY-MM-DD'),
  carousels: count('Carousels captured that day', carousels),
  own_carousel_share: fraction('Share of them with an own product, unrounded', {
    head: 'with an own product',
    what: 'The share of a day’s carousels that have an own product.',
    formula: 'carousels with an own product / carousels of the day',
    denominator: 'carousels of the day',
    unit: 'fraction_0_1',
    empty: 'never null: only days with a carousel are listed',
  }),
  own_win_share: fraction('Share of them with an own product in slot 1, unrounded', {
    head: 'own product in slot 1',
    what: 'The share of a day’s carousels that have an own product in front.',
    formula: 'carousels with an own product in slot 1 / carousels of the day',
    denominator: 'carousels of the day',
    unit: 'fraction_0_1',
    empty: 'never null: only days with a carousel are listed',
  }),
  own_avg_position: nullable(
    number('Mean slot of own products, unrounded; null: none on the shelf that day', ownAvgPosition),
  ),
});

export const shoppingTrend = defineRead({
  path: 'shopping-trend',
  tool: 'get_shopping_trend',
  group: 'shopping',
  mainRows: { at: ['trend'] },
  summary: `Shopping carousels day by day over the ${lastDays}`,
  sdkNote: 'Days without carousels have no point.',
  guide: `Does the brand gain room in shopping carousels, day by day over the ${lastDays}? Shares are 0 to 1, slot 1 is the front. Null is not zero: own_avg_position is null on days the brand was not on the shelf; carousels is null when unobservable, so the day has no point.`,
  needsRuns: true,
  params: { brand, days: lastDaysParam },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    days_observed: count('Days with carousels: the number of points', {
      what: 'The days with a carousel.',
      formula: 'the number of points',
      unit: 'days',
      empty: '0: no carousel was captured',
    }),
    trend: list(shoppingPoint, 'Oldest first; days without carousels have no point'),
    ...caveats,
    engines_observable: carouselsObservable,
  }),
});

export type ShoppingTrend = Infer<typeof shoppingTrend.response>;
