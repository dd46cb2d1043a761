/** The carousels and the ad of a run, which have tables of their own: their schemas, rows and exports. */
import type { Knex } from 'knex';
import { z } from 'zod';
import { amount, name, optional, positive, text } from '../../../base/fields.js';
import { copyInto, copyRow } from '../../../database/copy.js';
import type { ImportedBrand } from '../brand-catalog.js';
import type { ImportSession } from '../session.js';
import { inOrderOf, omitNulls, unlessEmpty } from './table.js';

const placement = z.strictObject({
  slot: positive,
  product: name,
  url: optional(text),
  merchant: optional(text),
  price: optional(text),
  price_amount: optional(amount),
  currency: optional(text),
  is_own: optional(z.boolean()),
});
export const carousel = z.strictObject({ placements: z.array(placement) });

const card = z.strictObject({
  title: optional(text),
  body: optional(text),
  target_url: optional(text),
  image_url: optional(text),
});
export const ad = z.strictObject({
  advertiser: optional(text),
  advertiser_url: optional(text),
  favicon_url: optional(text),
  cards: optional(z.array(card)),
});

type Carousel = z.infer<typeof carousel>;
type Placement = z.infer<typeof placement>;
type Card = z.infer<typeof card>;
type Ad = z.infer<typeof ad>;

/** The carousels and the ad of a run, and what of the run their rows repeat. */
export interface Children {
  readonly engine: string;
  /** When the run was collected, as ISO time. */
  readonly time: string;
  readonly carousels: readonly Carousel[];
  readonly ad: Ad | null;
}

// Rows.

const PLACEMENT = Object.keys(placement.shape) as (keyof Placement)[];
const ADVERTISER = ['advertiser', 'advertiser_url', 'favicon_url'] as const;
const CARD = Object.keys(card.shape) as (keyof Card)[];

const placementValues = (of: Placement) => PLACEMENT.map((each) => of[each] ?? null);

const adValues = (of: Ad) => [
  ...ADVERTISER.map((each) => of[each] ?? null),
  JSON.stringify(
    (of.cards ?? []).map((each) => Object.fromEntries(CARD.map((key) => [key, each[key] ?? null]))),
  ),
];

/** The content of the children in one normal form. */
export function childrenContent(children: Children | null): string {
  const carousels = children?.carousels.length
    ? JSON.stringify(children.carousels.map(({ placements }) => placements.map(placementValues)))
    : '';
  return `${carousels}\t${children?.ad == null ? '' : JSON.stringify(adValues(children.ad))}`;
}

/** Tables of the children of a run, by its day. Their rows are merged at the end of the file. */
const CHILD_TABLES = ['carousels', 'placements', 'ads'] as const;
type ChildTable = (typeof CHILD_TABLES)[number];

interface Parent {
  readonly brand: ImportedBrand;
  readonly run: {
    readonly id: string;
    readonly day: string;
    readonly prompt: string;
    readonly children: Children | null;
  };
}

/** Stages the carousels, placements and ads of runs. `mergeChildren` stores them. */
export async function stageChildren(
  { trx, brands, stagedChildren }: ImportSession,
  runs: readonly Parent[],
): Promise<void> {
  const rows: Record<ChildTable, string[]> = { carousels: [], placements: [], ads: [] };
  for (const { brand, run } of runs) {
    if (run.children === null) continue;
    const { engine, time, carousels, ad } = run.children;
    for (const [at, { placements }] of carousels.entries()) {
      rows.carousels.push(copyRow([brand.key, run.day, run.id, at + 1, engine]));
      for (const [place, each] of placements.entries()) {
        rows.placements.push(
          copyRow([brand.key, run.day, run.id, at + 1, place + 1, ...placementValues(each)]),
        );
      }
    }
    if (ad !== null) {
      const prompt = brands.promptKey(brand, run.prompt);
      rows.ads.push(copyRow([brand.key, run.day, run.id, engine, prompt, time, ...adValues(ad)]));
    }
  }
  for (const table of CHILD_TABLES) {
    if (rows[table].length === 0) continue;
    // Created when the file has the first of them.
    if (!stagedChildren.has(table))
      await trx.raw(`create temporary table incoming_${table} (like ${table}) on commit drop`);
    stagedChildren.add(table);
    await copyInto(trx, `incoming_${table}`, rows[table]);
  }
}

/** Stores what was staged, in place of what the replaced runs had. The lines of the file must have been checked. */
export async function mergeChildren({ trx, brands, stagedChildren }: ImportSession): Promise<void> {
  await trx.raw('analyze replaced_runs');
  for (const brand of brands.all) if (brand.replacedRuns) await deleteReplaced(trx, brand.key);
  for (const table of stagedChildren) {
    // Two lines of the file may be the same run.
    await trx.raw(`insert into ${table} select * from incoming_${table} on conflict do nothing`);
  }
}

/** Deletes the children of replaced runs. The bounds of their keys are looked up in the index, whatever the join is. */
async function deleteReplaced(trx: Knex.Transaction, brandKey: number): Promise<void> {
  for (const table of CHILD_TABLES) {
    await trx.raw(
      `with replaced as materialized (select id, day from replaced_runs where brand_key = :brandKey)
       delete from ${table} c using replaced r
       where c.brand_key = :brandKey and c.day = r.day and c.run_id = r.id
         and c.day between (select min(day) from replaced) and (select max(day) from replaced)`,
      { brandKey },
    );
  }
  await trx.raw(
    `with silent as materialized (select id from replaced_runs where brand_key = :brandKey and not answered)
     delete from run_answers a using silent s
     where a.brand_key = :brandKey and a.run_id = s.id
       and a.run_id between (select min(id) from silent) and (select max(id) from silent)`,
    { brandKey },
  );
}

// Exports.

const built = (fields: readonly string[], table: string): string =>
  `json_build_object(${fields.map((each) => `'${each}', ${table}.${each}`).join(', ')})`;

/** Selects the carousels of the run `r`, each as a list of its placements. */
export const CAROUSELS = `(
  select coalesce(json_agg((
    select coalesce(json_agg(${built(PLACEMENT, 'p')} order by p.position), '[]')
    from placements p
    where p.brand_key = :brandKey and p.day = c.day and p.run_id = c.run_id and p.carousel = c.carousel
  ) order by c.carousel), '[]')
  from carousels c where c.brand_key = :brandKey and c.day = r.day and c.run_id = r.id)`;

/** Selects the ad of the run `r`. */
export const AD = `(
  select ${built([...ADVERTISER, 'cards'], 'a')}
  from ads a where a.brand_key = :brandKey and a.day = r.day and a.run_id = r.id)`;

/** What `CAROUSELS` and `AD` select. */
export interface SelectedChildren {
  readonly carousels: Placement[][];
  readonly ad: (Ad & { readonly cards: Card[] }) | null;
}

export const exportedChildren = ({ carousels, ad }: SelectedChildren) => ({
  carousels: unlessEmpty(carousels.map((placements) => ({ placements: placements.map(omitNulls) }))),
  ad: ad && omitNulls({ ...ad, cards: unlessEmpty(inOrderOf(card)(ad.cards).map(omitNulls)) }),
});
