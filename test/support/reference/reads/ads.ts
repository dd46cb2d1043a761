import type { Window } from '../days.js';
import { dayOf, isWithin, windowEndingOn } from '../days.js';
import { hostOf } from '../domains.js';
import { engineFilter } from '../engine-filter.js';
import { AD_ENGINES, observableEngines } from '../engines.js';
import type { Open } from '../open.js';
import { OPEN, WORDS } from '../open.js';
import type { AdsParams } from '../parameters.js';
import { customWindow, daysAsked } from '../parameters.js';
import type { CapturedAd, DatasetRecord, RunRecord } from '../records.js';
import { recordsOfBrand } from '../records.js';
import { runsWithin } from '../runs.js';
import type { BrandReference, Scope } from '../scope.js';
import { findBrand, referenceTo } from '../scope.js';
import { byCodePoint } from '../text-order.js';

const ADS_CAP = 200;
const DEFAULT_DAYS = 7;
const CAPTURE_BEGAN = '2026-07-01';

export interface ExpectedAd {
  run_id: string;
  prompt_id: string;
  engine: string;
  captured_at: string;
  date: string;
  advertiser: string | null;
  advertiser_url: string | null;
  advertiser_domain: string | null;
  favicon_url: string | null;
  cards: {
    title: string | null;
    body: string | null;
    target_url: string | null;
    domain: string | null;
    image_url: string | null;
  }[];
}

export interface ExpectedAds {
  brand: BrandReference;
  window: { start: string | null; end: string | null; days: number };
  engines: string[] | null;
  engines_observable: string[];
  totals: { units: number; advertisers: number };
  capture: { all_time_units: number; first_captured_at: string | null; last_captured_at: string | null };
  ads: ExpectedAd[];
  note: string | Open | null;
}

/** The body of ads; null = 404. Presets end on the day of the newest unit, whatever the engine filter. */
export function expectedAds(
  records: DatasetRecord[],
  scope: Scope,
  params: AdsParams = {},
): ExpectedAds | null {
  const brand = findBrand(records, scope);
  if (brand === null) return null;
  const units = recordsOfBrand(records, 'run', brand.id)
    .flatMap((run) => (run.ad ? [unitOf(run, run.ad)] : []))
    .sort((a, b) => byCodePoint(b.captured_at, a.captured_at) || byCodePoint(b.run_id, a.run_id));
  const window = windowOf(units, params);
  const { engines } = engineFilter(params.engines);
  const asked =
    window ?? customWindow(params) ?? windowEndingOn(scope.today, daysAsked(params, DEFAULT_DAYS));
  const observable = observableEngines('ads', AD_ENGINES, runsWithin(records, brand.id, asked));
  const rows = units.filter(
    (unit) => window !== null && isWithin(window, unit.date) && (engines?.includes(unit.engine) ?? true),
  );
  return {
    brand: referenceTo(brand),
    window: {
      start: window?.start ?? null,
      end: window?.end ?? null,
      days: daysAsked(params, DEFAULT_DAYS),
    },
    engines,
    engines_observable: observable,
    totals: {
      units: rows.length,
      advertisers: new Set(rows.flatMap((unit) => unit.advertiser ?? [])).size,
    },
    capture: {
      all_time_units: units.length,
      first_captured_at: units.at(-1)?.captured_at ?? null,
      last_captured_at: units[0]?.captured_at ?? null,
    },
    ads: rows.slice(0, ADS_CAP),
    note: noteOn(window, engines, rows, observable),
  };
}

/** Null where nothing was ever captured, also for a custom range. */
function windowOf(newestFirst: ExpectedAd[], params: AdsParams): Window | null {
  const newest = newestFirst[0];
  if (newest === undefined) return null;
  return customWindow(params) ?? windowEndingOn(newest.date, daysAsked(params, DEFAULT_DAYS));
}

/** Nothing says whether units listed next to an engine that states none need the caveat. */
function noteOn(
  window: Window | null,
  engines: string[] | null,
  rows: ExpectedAd[],
  observable: string[],
): string | Open | null {
  if (window === null || rows.length === 0 || rows.length > ADS_CAP || window.start < CAPTURE_BEGAN) {
    return WORDS;
  }
  return engines?.some((engine) => !observable.includes(engine)) ? OPEN : null;
}

/** The unit as captured; absent fields are null, and times are UTC instants. */
function unitOf(run: RunRecord, ad: CapturedAd): ExpectedAd {
  return {
    run_id: run.id,
    prompt_id: run.prompt,
    engine: run.engine,
    captured_at: new Date(run.collected_at).toISOString(),
    date: dayOf(run.collected_at),
    advertiser: ad.advertiser ?? null,
    advertiser_url: ad.advertiser_url ?? null,
    advertiser_domain: hostOf(ad.advertiser_url),
    favicon_url: ad.favicon_url ?? null,
    cards: (ad.cards ?? []).map((card) => ({
      title: card.title ?? null,
      body: card.body ?? null,
      target_url: card.target_url ?? null,
      domain: hostOf(card.target_url),
      image_url: card.image_url ?? null,
    })),
  };
}
