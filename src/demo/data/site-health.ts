/** Generates the last crawl of the brand's own site. */
import type { RecordOf } from '../../server/dataset/records/index.js';
import { timeText } from './calendar.js';
import { SITE, sitePaths } from './espresso/sites.js';
import { type Random, randomOf } from './random.js';

const BOT_WALLS: readonly string[] = ['/cart', '/account/login', '/search', '/support/repair-request'];
const ERRORS: Readonly<Record<string, number>> = {
  '/journal/arco-five-years-on': 404,
  '/parts/tempo': 404,
  '/gift-cards': 500,
  '/trade': 503,
};
/** Pages without a timing, for example because the request timed out before the first byte. */
const UNTIMED: readonly string[] = ['/trade', '/stores', '/press'];
const CRAWL_SECOND = 3 * 3600;

function outcome(path: string, random: Random) {
  if (BOT_WALLS.includes(path)) return { status: 403, bot_wall: true };
  const status = ERRORS[path] ?? 200;
  if (UNTIMED.includes(path)) return { status };
  const slow = path.startsWith('/compare') || path === '/products' ? 700 : 0;
  return { status, ttfb_ms: slow + random.integer(90, 480) };
}

/** Every page of the site in the crawl of that day. */
export function* sitePages(brand: string, day: number): Generator<RecordOf<'site_page'>> {
  for (const [i, { path }] of sitePaths.entries()) {
    const checked_at = timeText(day, CRAWL_SECOND + i * 2);
    yield {
      type: 'site_page',
      brand,
      url: `${SITE}${path}`,
      ...outcome(path, randomOf(brand, path, 'crawl')),
      checked_at,
    };
  }
}
