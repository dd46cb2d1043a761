/** Writes carousels with their placements, and ads, to their own tables. */
import type { ImportedBrand } from '../brand-catalog.js';
import { isoTime } from '../records/fields.js';
import type { Run } from '../records/run.js';
import type { ImportSession } from '../session.js';

/** A run that existed before this import, with its former day. */
export interface ReplacedRun {
  readonly id: string;
  readonly day: string;
}

type Placement = NonNullable<Run['carousels']>[number]['placements'][number];

/** A placement as it is stored. */
export const placementRow = (placement: Placement) => ({
  slot: placement.slot,
  product: placement.product,
  url: placement.url ?? null,
  merchant: placement.merchant ?? null,
  price: placement.price ?? null,
  price_amount: placement.price_amount ?? null,
  currency: placement.currency ?? null,
  is_own: placement.is_own ?? null,
});

/** An ad as it is stored. */
export const adRow = (ad: NonNullable<Run['ad']>) => ({
  advertiser: ad.advertiser ?? null,
  advertiser_url: ad.advertiser_url ?? null,
  favicon_url: ad.favicon_url ?? null,
  cards: (ad.cards ?? []).map(({ title, body, target_url, image_url }) => ({
    title: title ?? null,
    body: body ?? null,
    target_url: target_url ?? null,
    image_url: image_url ?? null,
  })),
});

/** The UTC day of a run. */
export const dayOf = (run: Run): string => isoTime(run.collected_at).slice(0, 10);

export async function writeCarousels(
  session: ImportSession,
  brand: ImportedBrand,
  runs: readonly Run[],
  replaced: readonly ReplacedRun[],
): Promise<void> {
  await deleteReplaced(session, brand, 'placements', replaced);
  await deleteReplaced(session, brand, 'carousels', replaced);
  const carousels = runs.flatMap((run) =>
    (run.carousels ?? []).map((_, at) => ({
      day: dayOf(run),
      run_id: run.id,
      carousel: at + 1,
      engine: run.engine,
    })),
  );
  const placements = runs.flatMap((run) =>
    (run.carousels ?? []).flatMap((carousel, at) =>
      carousel.placements.map((placement, place) => ({
        day: dayOf(run),
        run_id: run.id,
        carousel: at + 1,
        position: place + 1,
        ...placementRow(placement),
      })),
    ),
  );
  await insert(session, brand, 'carousels', carousels);
  await insert(session, brand, 'placements', placements);
}

export async function writeAds(
  session: ImportSession,
  brand: ImportedBrand,
  runs: readonly Run[],
  replaced: readonly ReplacedRun[],
): Promise<void> {
  await deleteReplaced(session, brand, 'ads', replaced);
  const ads = runs.flatMap((run) =>
    run.ad == null
      ? []
      : {
          day: dayOf(run),
          run_id: run.id,
          engine: run.engine,
          prompt_key: session.brands.promptKey(brand, run.prompt),
          captured_at: isoTime(run.collected_at),
          ...adRow(run.ad),
        },
  );
  await insert(session, brand, 'ads', ads);
}

/** Deletes the rows of runs that are written again. */
async function deleteReplaced(
  session: ImportSession,
  brand: ImportedBrand,
  table: string,
  replaced: readonly ReplacedRun[],
) {
  if (replaced.length === 0) return;
  await session.trx.raw(
    `delete from ${table} c using json_to_recordset(:replaced) as r(id text, day date)
     where c.brand_key = :brandKey and c.day = r.day and c.run_id = r.id collate "C"`,
    { brandKey: brand.key, replaced: JSON.stringify(replaced) },
  );
}

async function insert(session: ImportSession, brand: ImportedBrand, table: string, rows: readonly object[]) {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!).join(', ');
  await session.trx.raw(
    `insert into ${table} (brand_key, ${columns})
     select :brandKey, ${columns} from json_populate_recordset(null::${table}, :rows)`,
    { brandKey: brand.key, rows: JSON.stringify(rows) },
  );
}
