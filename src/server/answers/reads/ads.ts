import { adEngineIds, type EngineId, inTableOrder } from '../../../contract/engines.js';
import { AD_CAPTURE_BEGAN, CAPS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { type Ad, type Ads, ads } from '../../../contract/reads/ads.js';
import type { ParsedParamsOf } from '../../../contract/registry.js';
import { daysIn, type Window, windowEnding } from '../../base/days.js';
import { type BrandWindow, statement } from '../../base/statement.js';
import { linkDomain } from '../citations/domain.js';
import { observingEngines } from '../sums/collection.js';
import { brandRefOf, type ReadContext, type Reader } from './reader.js';

interface Capture {
  units: number;
  first: Date | null;
  last: Date | null;
  newestDay: string | null;
}

/** All units ever captured for a brand, on any engine. Always one row. */
const adCapture = statement<Capture, { brandKey: number }>(
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
const adTotals = statement<{ units: number; advertisers: number }, UnitBindings>(
  'ad_totals',
  `select count(*) as units, count(distinct a.advertiser) as advertisers from ads a where ${inWindow}`,
);

interface AdRow {
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

const adsNewestFirst = statement<AdRow, UnitBindings & { rows: number }>(
  'ads_newest_first',
  `select a.run_id as "runId", p.id as "promptId", a.engine, a.captured_at as "capturedAt", a.day, a.advertiser,
     a.advertiser_url as "advertiserUrl", a.favicon_url as "faviconUrl", a.cards
   from ads a join prompts p on p.brand_key = :brandKey and p.prompt_key = a.prompt_key
   where ${inWindow}
   order by a.day desc, a.captured_at desc, a.run_id desc limit :rows`,
);

type Params = ParsedParamsOf<'ads'>;

export const reader: Reader<'ads'> = async (context, params) => {
  const [capture] = await adCapture(context.db, { brandKey: context.brand.key });
  const window = windowOf(params, capture!);
  const [{ totals, units }, observable] = await Promise.all([
    captured(context, params, window),
    observableIn(context, window ?? rangeOf(params) ?? windowEnding(context.today, presetOf(params))),
  ]);
  return {
    brand: brandRefOf(context.brand),
    window: window
      ? { ...window, days: daysIn(window) }
      : { start: null, end: null, days: daysAsked(params) },
    engines: params.engine ? [...params.engine] : null,
    engines_observable: observable,
    totals,
    capture: {
      all_time_units: capture!.units,
      first_captured_at: capture!.first?.toISOString() ?? null,
      last_captured_at: capture!.last?.toISOString() ?? null,
    },
    ads: units.map(adOf),
    ...caveatsOf(params, window, totals, observable),
  };
};

async function observableIn({ db, brand }: ReadContext, window: Window): Promise<EngineId[]> {
  const observing = await observingEngines.ads(db, { brandKey: brand.key, ...window });
  return inTableOrder([...adEngineIds, ...observing.map(({ engine }) => engine)]);
}

const rangeOf = ({ from, to }: Params): Window | null =>
  from === undefined || to === undefined ? null : { start: from, end: to };

const presetOf = ({ days }: Params): number => days ?? ads.params.days.default;

function daysAsked(params: Params): number {
  const range = rangeOf(params);
  return range ? daysIn(range) : presetOf(params);
}

/** Null where nothing was ever captured, whatever was asked for. The filter does not move the window. */
function windowOf(params: Params, { newestDay }: Capture): Window | null {
  if (newestDay === null) return null;
  return rangeOf(params) ?? windowEnding(newestDay, presetOf(params));
}

async function captured({ db, brand }: ReadContext, params: Params, window: Window | null) {
  if (!window) return { totals: { units: 0, advertisers: 0 }, units: [] };
  const bindings = { brandKey: brand.key, ...window, engines: params.engine ?? null };
  const [[totals], units] = await Promise.all([
    adTotals(db, bindings),
    adsNewestFirst(db, { ...bindings, rows: CAPS.ads }),
  ]);
  return { totals: totals!, units };
}

const adOf = (row: AdRow): Ad => ({
  run_id: row.runId,
  prompt_id: row.promptId,
  engine: row.engine,
  captured_at: row.capturedAt.toISOString(),
  date: row.day,
  advertiser: row.advertiser,
  advertiser_url: row.advertiserUrl,
  advertiser_domain: linkDomain(row.advertiserUrl),
  favicon_url: row.faviconUrl,
  cards: row.cards.map(({ title, body, target_url, image_url }) => ({
    title,
    body,
    target_url,
    domain: linkDomain(target_url),
    image_url,
  })),
});

function caveatsOf(
  params: Params,
  window: Window | null,
  { units }: Ads['totals'],
  observable: readonly EngineId[],
) {
  const notObservable = (params.engine ?? []).filter((engine) => !observable.includes(engine));
  const start = window?.start ?? params.from;
  return noted([
    !window && fact('no_ad_ever'),
    window && units === 0 && fact('no_ad'),
    notObservable.length > 0 && fact('ads_not_observable', { engines: notObservable }),
    start !== undefined && start < AD_CAPTURE_BEGAN && fact('ads_not_captured', { since: AD_CAPTURE_BEGAN }),
    units > CAPS.ads && fact('newest_ads', { total: units }),
  ]);
}
