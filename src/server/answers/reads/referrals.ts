import { blendedEngineIds } from '../../../contract/engines.js';
import { CAPS, VISITOR_DAYS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import { compareText } from '../../../contract/order.js';
import type { Referrals } from '../../../contract/reads/referrals.js';
import { canonicalPath } from '../../../logs/hit.js';
import { findProduct } from '../../../logs/referrals/products.js';
import { dataVersion } from '../../accounts/brands.js';
import { daysIn, everyDayOf, type Window, windowBefore, windowEnding } from '../../base/days.js';
import { ownCitations } from '../gaps/crawl.js';
import { countInterval, countVerdict } from '../metrics/counts.js';
import { round } from '../metrics/values.js';
import { windowHasRuns } from '../sums/collected-days.js';
import {
  isReferring,
  type ReferredDay,
  referredDays,
  referredPaths,
  referringDays,
} from '../sums/referrals.js';
import { reader as crawlers } from './crawlers.js';
import { brandRefOf, type Reader, withCaching } from './reader.js';

const compute: Reader<'referrals'> = async ({ db, brand, today }, { from, to }) => {
  const window = from && to ? { start: from, end: to } : windowEnding(today);
  const both = { brandKey: brand.key, start: windowBefore(window).start, end: window.end };
  const inWindow = { brandKey: brand.key, ...window };
  const [[referring], scope, counts, paths, cited, [collected]] = await Promise.all([
    isReferring(db, { brandKey: brand.key }),
    referringDays(db, both),
    referredDays(db, both),
    referredPaths(db, { ...inWindow, rows: CAPS.referrals }),
    ownCitations(db, brand, window),
    windowHasRuns(db, { ...inWindow, engines: blendedEngineIds }),
  ]);
  const measured = new Set(scope.map(({ day }) => day));
  const days = everyDayOf(window).filter((day) => measured.has(day));
  const now = counts.filter(({ day }) => day >= window.start);
  /** The citations of a path, and the spelling of its address that is cited most. */
  const byPath = new Map<string, { readonly url: string; readonly citations: number }>();
  for (const { url, citations } of [...cited].sort(
    (a, b) => b.citations - a.citations || compareText(a.url, b.url),
  )) {
    const path = canonicalPath(url) ?? '/';
    const known = byPath.get(path);
    byPath.set(path, { url: known?.url ?? url, citations: (known?.citations ?? 0) + citations });
  }
  const citationsOf = (count: number) => (collected!.hasRuns ? count : null);
  const certain = { window, today, measured };
  const withoutVisitor = now.reduce((sum, row) => sum + row.withoutVisitor, 0);
  return {
    brand: brandRefOf(brand),
    connected: referring!.found,
    days_measured: days.length,
    totals:
      days.length === 0
        ? null
        : {
            ...sumOf(now),
            citations: citationsOf(cited.reduce((sum, { citations }) => sum + citations, 0)),
            ...certaintyOf(counts, certain),
          },
    products: [...new Set(now.map(({ product }) => product))]
      .map((product) => {
        const own = counts.filter((row) => row.product === product);
        return {
          product,
          label: findProduct(product)?.label ?? product,
          ...sumOf(own.filter(({ day }) => day >= window.start)),
          ...certaintyOf(own, certain),
        };
      })
      .sort(
        (a, b) =>
          (b.visits ?? 0) - (a.visits ?? 0) || b.pageviews - a.pageviews || compareText(a.product, b.product),
      ),
    days: everyDayOf(window).map((day) => ({
      day,
      ...(measured.has(day)
        ? sumOf(now.filter((row) => row.day === day))
        : { visits: null, pageviews: null }),
    })),
    total: paths[0]?.total ?? 0,
    referrals: paths.map(({ product, path, visits, pageviews }) => ({
      product,
      url: byPath.get(path)?.url ?? `https://${brand.domain}${path}`,
      visits,
      pageviews,
      citations: citationsOf(byPath.get(path)?.citations ?? 0),
    })),
    window: { ...window, days: daysIn(window) },
    ...noted([
      !referring!.found && fact('no_referrers'),
      referring!.found && days.length === 0 && fact('no_referrers_in_window', window),
      days.length > 0 &&
        days.length < daysIn(window) &&
        fact('days_without_referrers', { measured: days.length }),
      withoutVisitor > 0 && fact('views_without_visitor', { total: withoutVisitor, length: VISITOR_DAYS }),
      fact('google_not_told'),
    ]),
  };
};

/** Changes with the stored logs, and with what answers cite. */
export const reader = withCaching(compute, {
  version: (context) => `${dataVersion(context)} ${context.brand.crawlerVersion}`,
  isCurrent: crawlers.isCurrent!,
});

/** Visits are null where visitors of no page view can be told apart. */
function sumOf(rows: readonly ReferredDay[]): { visits: number | null; pageviews: number } {
  const pageviews = rows.reduce((sum, row) => sum + row.pageviews, 0);
  const isTold = rows.length === 0 || rows.some(({ visits }) => visits !== null);
  return { visits: isTold ? rows.reduce((sum, row) => sum + (row.visits ?? 0), 0) : null, pageviews };
}

interface Measured {
  readonly window: Window;
  readonly today: string;
  readonly measured: ReadonlySet<string>;
}

/** Days on which visitors of a page view cannot be told apart are not measured, because their visits are missing. */
function certaintyOf(
  rows: readonly ReferredDay[],
  { window, today, measured }: Measured,
): Pick<NonNullable<Referrals['totals']>, 'interval' | 'change'> {
  const untold = new Set(rows.filter(({ withoutVisitor }) => withoutVisitor > 0).map(({ day }) => day));
  const countsIn = (days: Window): number[] =>
    everyDayOf(days)
      .filter((day) => day < today && measured.has(day) && !untold.has(day))
      .map((day) => rows.filter((row) => row.day === day).reduce((sum, row) => sum + (row.visits ?? 0), 0));
  const [now, before] = [countsIn(window), countsIn(windowBefore(window))];
  const mean = (counts: readonly number[]) =>
    counts.length === 0 ? null : round(counts.reduce((a, b) => a + b, 0) / counts.length, 1);
  const { visits } = sumOf(rows.filter(({ day }) => day >= window.start));
  const bounds = visits === null ? null : countInterval(visits, now);
  return {
    interval: bounds && [round(bounds[0], 1), round(bounds[1], 1)],
    change: { per_day: mean(now), previous_per_day: mean(before), verdict: countVerdict(now, before) },
  };
}
