import { engineIds, shoppingStatuses } from '../engines.js';
import { CAPS, WINDOW_DAYS } from '../limits.js';
import { brand } from '../params.js';
import { brandRef, defineRead, note } from '../read.js';
import {
  count,
  flag,
  fraction,
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
import { lastDays } from '../wording.js';

export const product = part('A product in the shopping carousels of the window', {
  product: text('Product name'),
  merchant_domain: nullable(text('Host of the product link without www.; null: no link')),
  merchant: nullable(text('Merchant as the engine wrote it; null: not stated')),
  price: nullable(text('Price as the engine wrote it; null: none sent')),
  price_amount: nullable(number('As stated, else read from price; null: unknown or ambiguous')),
  currency: nullable(text('Currency of price_amount; null: nothing pinned one')),
  url: nullable(text('Product link; null: no link')),
  is_own: flag('The brand’s own product'),
  appearances: count('Placements'),
  carousels_featuring: count('Distinct carousels with it'),
  win_rate: fraction('Share of its own appearances that were in slot 1, unrounded; not a head-to-head rate'),
  visibility_share: fraction('carousels_featuring among the carousels of the window, unrounded'),
  avg_position: number('Mean slot, 1 is the front; unrounded'),
});

export const channel = part('What is known of the shopping carousels of an engine', {
  engine: oneOfOrNewer(engineIds, 'Engine id'),
  status: oneOf(shoppingStatuses, 'Whether its payloads carry product data today'),
  sampled: flag('The engine collected runs in the window'),
  carousels: nullable(count('Carousels captured; null: unobservable, 0: sampled and none shown')),
});

export const shopping = defineRead({
  path: 'shopping',
  tool: 'list_shopping_products',
  mainRows: { at: ['products'] },
  summary: 'The products in shopping carousels, strongest placement first',
  sdkNote: '`win_rate` is the slot-1 share of a product’s own appearances.',
  guide: `Up to ${CAPS.products} over the ${lastDays}, with totals and channel_coverage. win_rate and visibility_share are 0 to 1; positions are slots, 1 is the front; win_rate is the share of a product’s own appearances in slot 1, not a head-to-head rate. Null is not zero: own_avg_position is null when the brand was not on the shelf; in channel_coverage, carousels is null when the engine’s carousels are unobservable, and 0 when it was sampled and showed none. No carousels at all is absence of data, not absence from shelves. A price of null was not sent.`,
  needsRuns: true,
  params: { brand },
  response: object({
    brand: brandRef,
    window_days: count(`Always ${WINDOW_DAYS}`),
    totals: part('Sums over the window', {
      carousels: count('Carousels captured; 0 is absence of data, not of shopping presence'),
      products: count('Distinct products'),
      own_appearances: count('Placements of own products'),
      own_avg_position: nullable(number('Mean slot of own products, unrounded; null: none appeared')),
    }),
    products: list(product, `By placement strength, at most ${CAPS.products}`),
    channel_coverage: list(channel, 'Every engine with a shopping surface'),
    note,
  }),
});

export type Shopping = Infer<typeof shopping.response>;
export type Product = Infer<typeof product>;
