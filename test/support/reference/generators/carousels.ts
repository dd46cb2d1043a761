import { comparableDomain } from '../domains.js';
import type { CapturedCarousel, CapturedPlacement } from '../records.js';
import type { Draw } from './draw.js';

const SHOPS = ['shop.example', 'www.mega-store.example:8443', 'creme-labs.fr'] as const;
const NAMES = ['Acme Widget', 'Globex Mini 2', 'Crème brûlée torch', '🚀 Rocket boots', 'Zeta'] as const;
const NAME_COUNT = 30;
const MAX_SLOTS = 6;

/** Texts whose reading is fixed, and some whose amount the documents leave open. */
const PRICE_TEXTS = [
  '1.299,00',
  '1,299.00',
  '$1,299.00',
  '$ 1.299,00',
  '1,234,567.89',
  'call for price',
  '1,299',
  '€ 12.99',
  '12,99 €',
  'US$ 5',
  '$1.299',
  'from 5 to 9 EUR',
] as const;

/** One way to link a product; each has spellings of names of its own, so that no two rows can tie in name. */
interface Offer {
  spell(name: string): string[];
  urls: readonly (string | null)[];
}

/** What the carousels about a brand may show: own, rival and shop offers, and products without a link. */
export type Shelf = readonly CapturedPlacement[];

/** @param domain the brand's own, as stated */
export function randomShelf(draw: Draw, domain: string): Shelf {
  const own = comparableDomain(domain);
  const offers: Offer[] = [
    {
      spell: (name) => [name, name.replaceAll(' ', '  ')],
      urls: [`https://${own}/p`, `https://WWW.${own}:8443/q`],
    },
    {
      spell: (name) => [name.toUpperCase(), name.toUpperCase().replaceAll(' ', '\t')],
      urls: [`https://shop.${own}/p`],
    },
    { spell: (name) => [`${name.toLowerCase()}`, name.toLowerCase().replaceAll(' ', '   ')], urls: [null] },
    {
      spell: (name) => [mixedCase(name), mixedCase(name).replaceAll(' ', ' \t ')],
      urls: [draw.pick([...SHOPS, `not${own}`])].map((host) => `http://${host}/item?id=1#top`),
    },
  ];
  const names = Array.from({ length: NAME_COUNT }, (_, index) =>
    index < NAMES.length ? NAMES[index]! : `Widget number ${index}`,
  );
  return names.flatMap((name) =>
    draw
      .some(offers, 0.6)
      .flatMap((offer) =>
        offer
          .spell(name)
          .flatMap((product) => offer.urls.map((url) => ({ slot: 1, product, ...linked(draw, url) }))),
      ),
  );
}

/** Absent, or up to two carousels, no slot of one taken twice. */
export function randomCarousels(draw: Draw, shelf: Shelf): { carousels?: CapturedCarousel[] | null } {
  if (shelf.length === 0 || draw.chance(0.4)) return draw.pick([{}, { carousels: null }, { carousels: [] }]);
  return {
    carousels: Array.from({ length: draw.pick([1, 1, 2]) }, () => {
      const slots = draw.shuffled([1, 2, 3, 4, 5, 6]).slice(0, draw.int(1, MAX_SLOTS));
      const favoured = shelf.slice(0, 12);
      return {
        placements: slots.map((slot) => ({
          ...(draw.chance(0.5) ? draw.pick(favoured) : draw.pick(shelf)),
          slot,
          ...randomOffer(draw),
        })),
      };
    }),
  };
}

function linked(draw: Draw, url: string | null): { url?: string | null } {
  return url === null ? draw.pick([{}, { url }]) : { url };
}

/** Every second letter in capitals: folds to the same name as any other case. */
function mixedCase(name: string): string {
  return [...name.toLowerCase()]
    .map((letter, index) => (index % 2 === 1 ? letter.toUpperCase() : letter))
    .join('');
}

function randomOffer(draw: Draw): Partial<CapturedPlacement> {
  return {
    ...draw.pick([{}, {}, { is_own: null }, { is_own: true }, { is_own: false }]),
    ...draw.pick([{}, { merchant: null }, { merchant: 'The Shop, Inc.' }]),
    ...randomPrice(draw),
  };
}

function randomPrice(draw: Draw): Partial<CapturedPlacement> {
  return {
    ...draw.pick([{}, { price: null }, { price: draw.pick(PRICE_TEXTS) }, { price: draw.pick(PRICE_TEXTS) }]),
    ...draw.pick([{}, {}, { price_amount: null }, { price_amount: 12.99 }, { price_amount: 0 }]),
    ...draw.pick([{}, { currency: null }, { currency: 'USD' }, { currency: 'EUR' }]),
  };
}
