import { TOOL_CAPS } from '../../../contract/limits.js';
import { fact, noted } from '../../../contract/notes.js';
import type { SiteHealth } from '../../../contract/reads/site-health.js';
import { statement } from '../../base/statement.js';
import { sitePageCounts } from '../sums/site-pages.js';
import { brandRefOf, type Reader } from './reader.js';

/** Every measured time to first byte in milliseconds, ascending. */
const timesToFirstByte = statement<{ ms: number }, { brandKey: number }>(
  'times_to_first_byte',
  'select ttfb_ms as ms from site_pages where brand_key = :brandKey and ttfb_ms is not null order by ttfb_ms',
);

const slowestPages = statement<
  { url: string; status: number; ttfb_ms: number },
  { brandKey: number; rows: number }
>(
  'slowest_pages',
  `select url, status, ttfb_ms from site_pages where brand_key = :brandKey and ttfb_ms is not null
   order by ttfb_ms desc, url collate "C" limit :rows`,
);

const UNKNOWN = {
  checked_at: null,
  pages: null,
  ok_pages: null,
  error_pages: null,
  bot_walls: null,
  measured_pages: null,
  ttfb_ms: null,
  slowest: [],
  ...noted([fact('never_crawled')]),
};

export const reader: Reader<'site-health'> = async ({ db, brand }) => {
  const brandKey = brand.key;
  const [[counts], times, slowest] = await Promise.all([
    sitePageCounts(db, { brandKey }),
    timesToFirstByte(db, { brandKey }),
    slowestPages(db, { brandKey, rows: TOOL_CAPS.slowestPages }),
  ]);
  const { checkedAt, pages, ok, errors, botWalls } = counts!;
  if (checkedAt === null) return { brand: brandRefOf(brand), ...UNKNOWN };
  return {
    brand: brandRefOf(brand),
    checked_at: checkedAt.toISOString(),
    pages,
    ok_pages: ok,
    error_pages: errors,
    bot_walls: botWalls,
    measured_pages: times.length,
    ttfb_ms: ttfbOf(times.map(({ ms }) => ms)),
    slowest,
    ...noted([times.length === 0 && fact('not_timed')]),
  };
};

/** `ascending` in milliseconds; null: nothing was measured. */
function ttfbOf(ascending: readonly number[]): SiteHealth['ttfb_ms'] {
  if (ascending.length === 0) return null;
  const at = (percent: number) => nearestRank(ascending, percent)!;
  return { p50: at(50), p90: at(90), max: at(100) };
}

/**
 * The percentile of an ascending sample by nearest rank: the value at the 1-based index ⌈percent / 100 × n⌉, which is
 * always a measured value. Null: the sample is empty. `percent` is above 0 and at most 100.
 */
export function nearestRank(ascending: readonly number[], percent: number): number | null {
  return ascending[Math.ceil((percent * ascending.length) / 100) - 1] ?? null;
}
