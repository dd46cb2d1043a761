import { type BrandWindow, statement } from '../../base/statement.js';
import type { CarouselSums } from '../metrics/shopping.js';

const sums = `sum(carousels)::bigint as carousels, sum(own_carousels)::bigint as "ownCarousels",
  sum(own_wins)::bigint as "ownWins", sum(own_placements)::bigint as "ownPlacements",
  sum(own_slot_sum)::bigint as "ownSlotSum"`;

/** Carousels of a window by engine; engines without one have no row. */
export const carouselsByEngine = statement<CarouselSums & { engine: string }, BrandWindow>(
  'carousels_by_engine',
  `select engine, ${sums} from day_carousel where brand_key = :brandKey and day between :start and :end
   group by engine`,
);

/** Carousels of a window by day, oldest first; days without one have no row. */
export const carouselsByDay = statement<CarouselSums & { day: string }, BrandWindow>(
  'carousels_by_day',
  `select day, ${sums} from day_carousel where brand_key = :brandKey and day between :start and :end
   group by day order by day`,
);

export interface ProductRow {
  placements: number;
  carousels: number;
  firstSlots: number;
  slotSum: number;
  weightSum: number;
  isOwn: boolean;
  product: string;
  url: string | null;
  merchant: string | null;
  price: string | null;
  priceAmount: number | null;
  currency: string | null;
  /** Distinct products of the window, the same in every row. */
  products: number;
}

/**
 * The products of a window by placement strength, with the values of each one's newest placement: `rows` of them, and
 * those that tie with the last in strength and name.
 */
export const strongestProducts = statement<ProductRow, BrandWindow & { rows: number }>(
  'strongest_products',
  `with grouped as (
     select product_hash, sum(placements)::bigint as placements, sum(carousels)::bigint as carousels,
       sum(first_slots)::bigint as "firstSlots", sum(slot_sum)::bigint as "slotSum",
       sum(weight_sum)::bigint as "weightSum", max(day) as day
     from day_product where brand_key = :brandKey and day between :start and :end
     group by product_hash
   ),
   ranked as (
     select *, rank() over (order by "weightSum" desc, placements desc, "slotSum") as strength,
       count(*) over () as products
     from grouped
   ),
   named as (
     select g.*, d.newest_is_own as "isOwn", p.product, p.url, p.merchant, p.price, p.price_amount as "priceAmount",
       p.currency, rank() over (order by g.strength, p.product collate "C") as place
     from ranked g
     join day_product d on d.brand_key = :brandKey and d.day = g.day and d.product_hash = g.product_hash
     join placements p on p.brand_key = :brandKey and p.day = d.day and p.run_id = d.newest_run
       and p.carousel = d.newest_carousel and p.position = d.newest_position
     where g.strength <= :rows
   )
   select placements, carousels, "firstSlots", "slotSum", "weightSum", "isOwn", product, url, merchant, price,
     "priceAmount", currency, products
   from named where place <= :rows
   order by place`,
);
