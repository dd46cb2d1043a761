import type { Definition } from '../definition.js';
import { engineIds, shoppingStatuses } from '../engines.js';
import { CAPS } from '../limits.js';
import { averagePosition } from '../measures.js';
import { brand } from '../params.js';
import { brandRef, caveats, defineRead, windowDays } from '../read.js';
import {
  count,
  flag,
  fraction,
  headed,
  type Infer,
  list,
  nullable,
  number,
  object,
  oneOf,
  oneOfOrNewer,
  part,
  text,
} from '../schema.js';
import { lastDaysParam } from '../slice.js';
import { lastDays } from '../wording.js';

/** The number of carousels: in a whole response, or of an engine or a day. */
export const carousels: Definition = {
  what: 'The shopping carousels that were captured.',
  formula: 'one with no placement counts too',
  unit: 'carousels',
  empty:
    '0 is absence of data, not of shopping presence; null in channel_coverage: the engine cannot be observed',
};

export const ownAvgPosition: Definition = {
  head: `own ${averagePosition.label}`,
  what: 'The mean slot of own products. Slots count from 1 at the front.',
  formula: 'Σ slot / placements of own products',
  denominator: 'placements of own products',
  unit: 'slot',
  scale: '1 and up',
  empty: 'null: no own product was placed',
};

const onlyListed = 'never null: only products with a placement are listed';

export const product = part('A product in the shopping carousels of the window', {
  product: text('Product name'),
  merchant_domain: nullable(text('Host of the product link without www.; null: no link')),
  merchant: nullable(text('Merchant as the engine wrote it; null: not stated')),
  price: nullable(text('Price as the engine wrote it; null: none sent')),
  price_amount: nullable(
    number('As stated, else read from price; null: unknown or ambiguous', {
      what: 'The price of the product.',
      formula: 'as the engine states it, else read from price',
      unit: 'that of the field currency',
      scale: '0 and up',
      empty: 'null: unknown or ambiguous',
    }),
  ),
  currency: nullable(text('Currency of price_amount; null: nothing pinned one')),
  url: nullable(text('Product link; null: no link')),
  is_own: flag('The brand’s own product'),
  appearances: count('Placements', {
    head: 'places',
    what: 'How often the product was placed.',
    formula: 'its placements',
    unit: 'placements',
    empty: onlyListed,
  }),
  carousels_featuring: count('Distinct carousels with it', {
    what: 'How many carousels have the product.',
    formula: 'distinct carousels with a placement of it',
    unit: 'carousels',
    empty: onlyListed,
  }),
  win_rate: fraction('Share of its own appearances that were in slot 1, unrounded; not a head-to-head rate', {
    head: 'win rate, slot 1',
    what: 'How often the product is first where it is placed; not a head-to-head rate.',
    formula: 'placements in slot 1 / its own placements',
    denominator: 'its own placements',
    unit: 'fraction_0_1',
    empty: onlyListed,
  }),
  visibility_share: fraction('carousels_featuring among the carousels of the window, unrounded', {
    head: 'of carousels',
    what: 'The share of carousels that have the product.',
    formula: 'carousels that feature it / carousels of the window',
    denominator: 'carousels of the window',
    unit: 'fraction_0_1',
    empty: onlyListed,
  }),
  avg_position: number('Mean slot, 1 is the front; unrounded', {
    name: 'shopping.avg_position',
    what: 'The mean slot of the product. Slots count from 1 at the front.',
    formula: 'Σ slot / its placements',
    denominator: 'its placements',
    unit: 'slot',
    scale: '1 and up',
    empty: onlyListed,
  }),
});

export const channel = part('What is known of the shopping carousels of an engine', {
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  status: headed(
    'product data',
    oneOf(
      shoppingStatuses,
      'Whether its payloads carry product data today, or runs of the window observe it',
    ),
  ),
  sampled: flag('The engine collected runs in the window'),
  carousels: nullable(count('Carousels captured; null: unobservable, 0: sampled and none shown', carousels)),
});

export const carouselsObservable = list(
  oneOfOrNewer(engineIds, 'Engine id'),
  'Engines whose payloads carry products, and those of which a run of the window observes carousels; on every other engine carousels are unknown, never absent',
);

export const shopping = defineRead({
  path: 'shopping',
  tool: 'list_shopping_products',
  group: 'shopping',
  mainRows: { at: ['products'] },
  summary: 'The products in shopping carousels, strongest placement first',
  sdkNote: '`win_rate` is the slot-1 share of a product’s own appearances.',
  guide: `Which products do shopping carousels show, and who is in front? Up to ${CAPS.products} of the ${lastDays}. win_rate (own appearances in slot 1, not head to head) and visibility_share are 0 to 1. Null is not zero: own_avg_position is null when the brand was not on the shelf; carousels is null when an engine’s are unobservable, 0 when it showed none.`,
  needsRuns: true,
  params: { brand, days: lastDaysParam },
  response: object({
    brand: brandRef,
    window_days: windowDays,
    totals: part('Sums over the window', {
      carousels: count('Carousels captured; 0 is absence of data, not of shopping presence', carousels),
      products: count('Distinct products', {
        what: 'The products in them.',
        formula: 'distinct by name and merchant domain',
        unit: 'products',
        empty: '0: none',
      }),
      own_appearances: count('Placements of own products', {
        what: 'How often own products were placed.',
        formula: 'placements of own products',
        unit: 'placements',
        empty: '0: none',
      }),
      own_avg_position: nullable(
        number('Mean slot of own products, unrounded; null: none appeared', ownAvgPosition),
      ),
    }),
    products: list(product, `By placement strength, at most ${CAPS.products}`),
    channel_coverage: list(
      channel,
      'Every engine with a shopping surface, and those whose runs observe carousels',
    ),
    ...caveats,
    engines_observable: carouselsObservable,
  }),
});

export type Shopping = Infer<typeof shopping.response>;
export type Product = Infer<typeof product>;
