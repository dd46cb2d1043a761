import type { BrandWindow } from './bindings.js';
import { statement } from './statement.js';

export interface Capture {
  units: number;
  first: Date | null;
  last: Date | null;
  /** The day of the newest unit. */
  newestDay: string | null;
}

/** All units ever captured for a brand, on any engine. Always one row. */
export const adCapture = statement<Capture, { brandKey: number }>(
  'ad_capture',
  `select count(*) as units, min(captured_at) as first, max(captured_at) as last, max(day) as "newestDay"
   from ads where brand_key = :brandKey`,
);

interface UnitBindings extends BrandWindow {
  /** Null: every engine. */
  engines: readonly string[] | null;
}

const inWindow = `a.brand_key = :brandKey and a.day between :start and :end
  and (cast(:engines as text[]) is null or a.engine = any(cast(:engines as text[])))`;

/** Units and distinct stated names of a window. Always one row. */
export const adTotals = statement<{ units: number; advertisers: number }, UnitBindings>(
  'ad_totals',
  `select count(*) as units, count(distinct a.advertiser) as advertisers from ads a where ${inWindow}`,
);

export interface AdRow {
  runId: string;
  promptId: string;
  engine: string;
  capturedAt: Date;
  day: string;
  advertiser: string | null;
  advertiserUrl: string | null;
  faviconUrl: string | null;
  cards: { title: string | null; body: string | null; target_url: string | null; image_url: string | null }[];
}

/** Units of a window, newest first. */
export const adsNewestFirst = statement<AdRow, UnitBindings & { rows: number }>(
  'ads_newest_first',
  `select a.run_id as "runId", p.id as "promptId", a.engine, a.captured_at as "capturedAt", a.day, a.advertiser,
     a.advertiser_url as "advertiserUrl", a.favicon_url as "faviconUrl", a.cards
   from ads a join prompts p on p.brand_key = :brandKey and p.prompt_key = a.prompt_key
   where ${inWindow}
   order by a.day desc, a.captured_at desc, a.run_id desc limit :rows`,
);
