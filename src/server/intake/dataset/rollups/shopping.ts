/**
 * The shopping roll-ups and the working tables that they are computed from, for the days being rebuilt: every placement
 * with its product and whether it is the brand's own. Names are folded and links are parsed here instead of in SQL,
 * because the case rules of SQL depend on the server's locale.
 */
import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { isSameOrSubdomain, linkDomain } from '../../../answers/citations/domain.js';
import { foldName } from '../entity-resolution.js';
import { probe } from '../probes.js';
import {
  type DaysBindings,
  fillWorkingTable,
  makeWorkingTable,
  ON_DAYS,
  type Rollup,
  type WorkingTable,
} from './working-tables.js';

interface Offer {
  readonly product: string;
  /** Empty: no link. */
  readonly link: string;
}

/** Two offers are the same product if they have the same folded name and merchant domain. */
const productHash = ({ product }: Offer, merchant: string | null): string =>
  `\\x${hash('sha256', JSON.stringify([foldName(product), merchant]), 'hex')}`;

const OFFERS: WorkingTable = {
  name: 'offers',
  select: `
  select o.product, o.link, cast(o.product_hash as bytea) as product_hash, o.own_link
  from json_to_recordset(:offers) as o(product text, link text, product_hash text, own_link boolean)`,
  analyzed: 'product, link',
};

const PLACEMENTS: WorkingTable = {
  name: 'shopping_placements',
  select: `
  select p.day, r.engine, p.run_id, r.collected_at, p.carousel, p.position, p.slot, o.product_hash,
    coalesce(p.is_own, o.own_link) as own
  from (select * from placements where brand_key = :brandKey and ${ON_DAYS}) p
  join rebuilt_runs r on r.id = p.run_id
  join offers o on o.product = p.product and o.link = coalesce(p.url, '')`,
  analyzed: 'day, run_id, carousel, product_hash',
};

/** Whether any run of the days has a carousel. Without one, no shopping roll-up has a row. */
export async function hasCarousels(trx: Knex.Transaction, days: DaysBindings): Promise<boolean> {
  const { rows } = await trx.raw(
    `select exists (select 1 from carousels where brand_key = :brandKey and ${ON_DAYS}) as found`,
    days,
  );
  return rows[0].found;
}

/** Fills the tables `offers` and `shopping_placements`, which the transaction creates when it first needs them, for some days. */
export async function fillShoppingTables(trx: Knex.Transaction, days: DaysBindings): Promise<void> {
  await makeWorkingTable(trx, OFFERS, { offers: '[]' });
  await makeWorkingTable(trx, PLACEMENTS, { brandKey: 0, days: [], firstDay: null, lastDay: null });
  const { rows: brands } = await trx.raw('select domain from brands where brand_key = :brandKey', days);
  const brandDomain: string = brands[0]?.domain ?? '';
  const { rows } = await trx.raw(
    `select distinct product, coalesce(url, '') as link from placements
     where brand_key = :brandKey and ${ON_DAYS} and run_id in (select id from rebuilt_runs)`,
    days,
  );
  const offers = rows.map((offer: Offer) => {
    const merchant = linkDomain(offer.link);
    const own_link = merchant !== null && isSameOrSubdomain(merchant, brandDomain);
    return { ...offer, product_hash: productHash(offer, merchant), own_link };
  });
  await fillWorkingTable(trx, OFFERS, { offers: JSON.stringify(offers) });
  await fillWorkingTable(trx, PLACEMENTS, days);
}

/** Newest run first, then lowest slot. */
const NEWEST = 'order by collected_at desc, run_id desc, slot, carousel, position';
/** The rank discount of a slot, in the same integer units as that of a mention. */
const WEIGHT = 'round(1e9::float8 * ln(2::float8) / ln(1::float8 + slot))::bigint';

export const SHOPPING_ROLLUPS: Readonly<Record<string, Rollup>> = {
  day_carousel: {
    key: 'day, engine',
    adds: ['carousels', 'own_carousels', 'own_wins', 'own_placements', 'own_slot_sum'],
    select: `
    select :brandKey, c.day, r.engine, count(*), count(*) filter (where s.own), count(*) filter (where s.won),
      coalesce(sum(s.own_placements), 0), coalesce(sum(s.own_slots), 0)
    from (select * from carousels where brand_key = :brandKey and ${ON_DAYS}) c
    join rebuilt_runs r on r.id = c.run_id
    left join (
      select run_id, carousel, bool_or(own) as own, bool_or(own and slot = 1) as won,
        count(*) filter (where own) as own_placements, sum(slot) filter (where own) as own_slots
      from shopping_placements group by run_id, carousel
    ) s on s.run_id = c.run_id and s.carousel = c.carousel
    group by c.day, r.engine`,
  },

  /** The newest placement is one of the runs, or the stored one. */
  day_product: {
    key: 'day, product_hash',
    adds: ['placements', 'carousels', 'first_slots', 'slot_sum', 'weight_sum'],
    sets: ['run', 'carousel', 'position', 'is_own'].map((part) => `newest_${part} = excluded.newest_${part}`),
    select: `
    select :brandKey, day, product_hash, count(*) filter (where added),
      count(distinct (run_id, carousel)) filter (where added), count(*) filter (where added and slot = 1),
      sum(slot) filter (where added), sum(${WEIGHT}) filter (where added), (array_agg(run_id ${NEWEST}))[1],
      (array_agg(carousel ${NEWEST}))[1], (array_agg(position ${NEWEST}))[1], (array_agg(own ${NEWEST}))[1]
    from (
      select day, product_hash, true as added, collected_at, run_id, carousel, position, slot, own
      from shopping_placements
      union all
      select d.day, d.product_hash, false, r.collected_at, r.id, p.carousel, p.position, p.slot, d.newest_is_own
      from (select * from day_product where brand_key = :brandKey and ${ON_DAYS}) d
      join (select distinct day, product_hash from shopping_placements) s using (day, product_hash)
      cross join lateral ${probe('runs', 'id, collected_at', 'id', 'd.newest_run')} r
      join (select * from placements where brand_key = :brandKey and ${ON_DAYS}) p
        on p.day = d.day and p.run_id = d.newest_run and p.carousel = d.newest_carousel and p.position = d.newest_position
    ) placed
    group by day, product_hash`,
  },
};
