/** Generates the product carousels of answers about buying, with prices as engines write them. */
import { findEngine } from '../../contract/engines.js';
import type { Run } from '../../server/intake/dataset/records/run.js';
import type { Naming } from './answers.js';
import type { Slot } from './calendar.js';
import { channelOf } from './channels.js';
import type { Entity, Maker, Market, Product, Region } from './market.js';
import { type Random, randomOf } from './random.js';

type Carousel = NonNullable<Run['carousels']>[number];
type Placement = Carousel['placements'][number];

const SECOND_CAROUSEL_SHARE = 0.06;
const NAMED_BONUS = 3;

const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .toLowerCase();

/** The code of an article: Amazon's links contain it instead of the name. */
function articleCode(path: string): string {
  const digits = Math.floor(randomOf(path, 'article').next() * 36 ** 8);
  return `B0${digits.toString(36).toUpperCase().padStart(8, '0')}`;
}

/**
 * The shop and the link of a product: the maker's own shop, a merchant, or no link. Some own products are marked as
 * own.
 */
function offer(market: Market, maker: Maker | Entity, product: Product, region: Region, random: Random) {
  const isOwn = 'id' in maker && maker.id === market.brand;
  const path = slug(`${maker.name} ${product.model}`);
  if ('domain' in maker && random.chance(0.35)) {
    return { url: `https://www.${maker.domain}/products/${slug(product.model)}` };
  }
  if (random.chance(0.08)) return isOwn ? { is_own: true } : {};
  const merchant = random.pick(market.merchants[region]);
  const named = random.chance(0.25) ? { merchant: merchant.name } : {};
  return {
    url: `${merchant.link}${merchant.link.endsWith('/dp/') ? articleCode(path) : path}`,
    ...named,
    ...(isOwn ? { is_own: true } : {}),
  };
}

function carousel(market: Market, slot: Slot, namings: readonly Naming[], random: Random): Carousel {
  const candidates = [...market.entities, ...market.untracked]
    .filter((maker) => maker.engines?.[slot.engine] !== 0)
    .flatMap((maker) => maker.products.map((product) => ({ maker, product })));
  const pull = ({ maker }: (typeof candidates)[number]) =>
    (maker.presence *
      maker.strength ** 2 *
      (namings.some((naming) => naming.maker === maker) ? NAMED_BONUS : 1)) /
    maker.products.length;
  const placed = random.sample(candidates, random.integer(3, 8), pull);
  const placements = placed.map(
    ({ maker, product }, i): Placement => ({
      slot: i + 1,
      product: `${maker.name} ${product.model} ${market.productKind}`,
      ...offer(market, maker, product, slot.region, random),
      ...priceOf(product.price, slot.region, random),
    }),
  );
  return { placements };
}

/**
 * The carousels of one answer: usually none, sometimes two. Only engines with product data in their payloads have any.
 */
export function carouselsOf(
  market: Market,
  slot: Slot,
  namings: readonly Naming[],
  random: Random,
): Carousel[] {
  const isCaptured = findEngine(slot.engine)?.shopping === 'parses-today' && slot.prompt.shopping === true;
  if (!isCaptured || !random.chance(channelOf(slot.engine).carousel)) return [];
  const count = random.chance(SECOND_CAROUSEL_SHARE) ? 2 : 1;
  return Array.from({ length: count }, () => carousel(market, slot, namings, random));
}

// Generates prices as engines write them: by region, in several forms.

interface Price {
  readonly price?: string;
  readonly price_amount?: number;
  readonly currency?: string;
}

interface Currency {
  readonly code: string;
  /** Units of the currency per US dollar. */
  readonly rate: number;
  readonly forms: readonly ((amount: number) => string)[];
}

const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const english = new Intl.NumberFormat('en-US', digits).format;
const german = new Intl.NumberFormat('de-DE', digits).format;
const englishWhole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format;

const currencies: Readonly<Record<Region, Currency>> = {
  us: {
    code: 'USD',
    rate: 1,
    forms: [
      (amount) => `$${english(amount)}`,
      (amount) => `$${englishWhole(amount)}`,
      (amount) => `US$${english(amount)}`,
      (amount) => `${english(amount)} USD`,
      (amount) => `From $${english(amount)}`,
    ],
  },
  gb: {
    code: 'GBP',
    rate: 0.8,
    forms: [
      (amount) => `£${english(amount)}`,
      (amount) => `£${Math.round(amount)}`,
      (amount) => `GBP ${english(amount)}`,
    ],
  },
  de: {
    code: 'EUR',
    rate: 0.95,
    forms: [
      (amount) => `${german(amount)} €`,
      (amount) => `${Math.round(amount)} €`,
      (amount) => `EUR ${german(amount)}`,
      (amount) => `ab ${german(amount)} €`,
    ],
  },
};

/** Converts a price to the currency. Prices of shops end in .00, .95 or .99. */
function shopPrice(dollars: number, rate: number, random: Random): number {
  const discount = random.pick([1, 1, 1, 0.95, 0.9]);
  const cents = Math.floor(dollars * rate * discount) * 100 + random.pick([0, 95, 99]);
  return cents / 100;
}

/** The three price fields of a placement, each present or absent as in the payloads of engines. */
function priceOf(dollars: number, region: Region, random: Random): Price {
  const { code, rate, forms } = currencies[region];
  const amount = shopPrice(dollars, rate, random);
  const written = { price: random.pick(forms)(amount) };
  const structured = { price_amount: amount, currency: code };
  const stated: readonly { readonly price: Price; readonly share: number }[] = [
    { price: written, share: 0.6 },
    { price: { ...written, ...structured }, share: 0.2 },
    { price: structured, share: 0.1 },
    { price: {}, share: 0.1 },
  ];
  return random.weighted(stated, ({ share }) => share).price;
}
