import { AD_CAPTURE_BEGAN, FACT_CHECK_STALE_DAYS } from '../limits.js';
import { counted, type DefinitionGroup, ratio, stated } from './definition.js';

const slots = 'Slots count from 1 at the front.';
const onlyListed = 'never null: only products with a placement are listed';

export const shopping: DefinitionGroup = {
  id: 'shopping',
  title: 'Shopping',
  definitions: [
    counted(
      'carousels',
      'carousels',
      'The shopping carousels that were captured.',
      'one with no placement counts too',
      '0 is absence of data, not of shopping presence; null in channel_coverage: the engine cannot be observed',
    ),
    counted(
      'products',
      'products',
      'The products in them.',
      'distinct by name and merchant domain',
      '0: none',
      ['totals.products'],
    ),
    counted('appearances', 'placements', 'How often the product was placed.', 'its placements', onlyListed),
    counted(
      'carousels_featuring',
      'carousels',
      'How many carousels have the product.',
      'distinct carousels with a placement of it',
      onlyListed,
    ),
    ratio('win_rate', 'fraction_0_1', ['placements in slot 1', 'its own placements'], {
      what: 'How often the product is first where it is placed; not a head-to-head rate.',
      empty: onlyListed,
    }),
    ratio('visibility_share', 'fraction_0_1', ['carousels that feature it', 'carousels of the window'], {
      what: 'The share of carousels that have the product.',
      empty: onlyListed,
    }),
    ratio('shopping.avg_position', 'slot', ['Σ slot', 'its placements'], {
      what: `The mean slot of the product. ${slots}`,
      empty: onlyListed,
    }),
    counted(
      'own_appearances',
      'placements',
      'How often own products were placed.',
      'placements of own products',
      '0: none',
    ),
    ratio('own_avg_position', 'slot', ['Σ slot', 'placements of own products'], {
      what: `The mean slot of own products. ${slots}`,
      empty: 'null: no own product was placed',
    }),
    ratio('own_carousel_share', 'fraction_0_1', ['carousels with an own product', 'carousels of the day'], {
      what: 'The share of a day’s carousels that have an own product.',
      empty: 'never null: only days with a carousel are listed',
    }),
    ratio(
      'own_win_share',
      'fraction_0_1',
      ['carousels with an own product in slot 1', 'carousels of the day'],
      {
        what: 'The share of a day’s carousels that have an own product in front.',
        empty: 'never null: only days with a carousel are listed',
      },
    ),
    counted(
      'days_observed',
      'days',
      'The days with a carousel.',
      'the number of points',
      '0: no carousel was captured',
    ),
    stated(
      'price_amount',
      'that of the field currency',
      'the engine',
      { what: 'The price of the product.', empty: 'null: unknown or ambiguous' },
      { formula: 'as the engine states it, else read from price' },
    ),
  ],
};

export const ads: DefinitionGroup = {
  id: 'ads',
  title: 'Ads',
  definitions: [
    counted(
      'units',
      'units',
      'The ad units of the window.',
      'units of the engines asked for, before the cap of the list',
      '0: none was captured; engines outside of engines_observable state none',
    ),
    counted(
      'advertisers',
      'advertisers',
      'The advertisers of the window.',
      'distinct stated names',
      '0: none was stated',
    ),
    counted(
      'all_time_units',
      'units',
      'The ad units that were ever captured.',
      `units on any engine since ${AD_CAPTURE_BEGAN}`,
      '0: none was captured',
    ),
  ],
};

export const factCheck: DefinitionGroup = {
  id: 'fact-check',
  title: 'Fact check',
  definitions: [
    counted(
      'answers_checked',
      'answers',
      'The answers that were compared with the knowledge base.',
      'the newest answer per engine that mentions the brand',
      '0: no answer was compared; fact_check null: never checked',
    ),
    counted(
      'age_days',
      'days',
      'The age of the result.',
      'whole days from checked_at to the request',
      'null: the stored time is unreadable',
    ),
    counted(
      'stale_after_days',
      'days',
      'The age from which a result is stale.',
      `always ${FACT_CHECK_STALE_DAYS}`,
      'never null',
    ),
    stated(
      'cost_usd',
      'USD',
      'the server',
      { what: 'What the check cost.', empty: 'null: tokens or prices are unknown, which is not 0' },
      { formula: 'tokens of all its requests × the prices of the model', rounding: '0.00000001' },
    ),
  ],
};
