/** Generates what happens on the brand's own site: visits of AI crawlers, visits of people, and its last crawl. */
import type { RecordOf } from '../../server/dataset/records/index.js';
import { DAY_SECONDS, dateText, timeText } from './calendar.js';
import { SITE, sitePaths } from './espresso/makers.js';
import { type Random, randomOf } from './random.js';

interface Habit {
  readonly agent: string;
  /** Mean number of requests per day. */
  readonly daily: number;
  /** Whether it fetches for a user: single pages, no robots.txt, more requests on weekdays. */
  readonly isUserFetch?: boolean;
}

const habits: readonly Habit[] = [
  { agent: 'gptbot', daily: 14 },
  { agent: 'oai-searchbot', daily: 11 },
  { agent: 'chatgpt-user', daily: 18, isUserFetch: true },
  { agent: 'claudebot', daily: 9 },
  { agent: 'claude-user', daily: 4, isUserFetch: true },
  { agent: 'perplexitybot', daily: 6 },
  { agent: 'perplexity-user', daily: 3, isUserFetch: true },
  { agent: 'bingbot', daily: 8 },
  { agent: 'googlebot', daily: 12 },
  { agent: 'ccbot', daily: 1 },
];

const CRAWL_START: readonly string[] = ['/robots.txt', '/sitemap.xml'];
const GONE = ['/products/arco-mk1', '/blog/espresso-tips', '/guides/descaling-old'];
const CLOSED = ['/cart', '/account/login'];

interface Request {
  readonly path: string;
  readonly status: number;
}

function request(habit: Habit, random: Random): Request {
  const draw = random.next();
  if (!habit.isUserFetch && draw < 0.12) return { path: random.pick(CRAWL_START), status: 200 };
  if (draw < 0.16) return { path: random.pick(GONE), status: random.pick([301, 404]) };
  if (draw < 0.18) return { path: random.pick(CLOSED), status: 403 };
  const { path } = random.weighted(sitePaths, ({ cited }) => 1 + (cited?.weight ?? 0));
  const statuses = habit.isUserFetch ? [200] : [200, 200, 200, 200, 304];
  return { path, status: random.chance(0.015) ? random.pick([429, 503]) : random.pick(statuses) };
}

const isWeekend = (day: number): boolean => [2, 3].includes(day % 7);

function requestCount(habit: Habit, day: number, random: Random): number {
  const mean = habit.daily * (habit.isUserFetch && isWeekend(day) ? 0.6 : 1);
  return random.integer(Math.floor(mean * 0.6), Math.ceil(mean * 1.4));
}

/** The hits of one day up to `until` (RFC 3339, UTC, milliseconds). */
export function* crawlerEvents(
  brand: string,
  day: number,
  until: string,
): Generator<RecordOf<'crawler_event'>> {
  for (const habit of habits) {
    const random = randomOf(brand, dateText(day), habit.agent, 'hits');
    const count = requestCount(habit, day, random);
    for (let i = 0; i < count; i++) {
      const time = timeText(day, random.integer(0, DAY_SECONDS - 1));
      const { path, status } = request(habit, random);
      if (time <= until) yield { type: 'crawler_event', brand, agent: habit.agent, path, time, status };
    }
  }
}

// Generates the visits of users to the brand's site, as its tracking snippet counts them.

interface Origin {
  readonly ai_source?: string;
  /** The share of this source in the visits of a page. */
  readonly share: number;
}

const pages: readonly { readonly path: string; readonly daily: number }[] = [
  { path: '/', daily: 420 },
  { path: '/products/arco', daily: 260 },
  { path: '/products/piccola', daily: 190 },
  { path: '/compare/arco-vs-lanzaro-primo', daily: 120 },
  { path: '/guides/how-to-descale', daily: 110 },
  { path: '/guides/how-to-dial-in-espresso', daily: 95 },
  { path: '/products/arco-duo', daily: 80 },
  { path: '/support/warranty', daily: 35 },
];
const origins: readonly Origin[] = [
  { share: 0.86 },
  { ai_source: 'chatgpt.com', share: 0.07 },
  { ai_source: 'perplexity.ai', share: 0.03 },
  { ai_source: 'gemini.google.com', share: 0.02 },
  { ai_source: 'copilot.microsoft.com', share: 0.01 },
  { ai_source: 'claude.ai', share: 0.01 },
];
/** The last entry is for visits from an unknown country. */
const countries: readonly { readonly country?: string; readonly share: number }[] = [
  { country: 'US', share: 0.52 },
  { country: 'GB', share: 0.24 },
  { country: 'DE', share: 0.16 },
  { country: 'CA', share: 0.05 },
  { share: 0.03 },
];

/**
 * The visits of a day by page, AI source and country, without combinations that have no visit.
 * `elapsed` is the elapsed part of the day, 0 to 1.
 */
export function* visitDay(brand: string, day: number, elapsed: number): Generator<RecordOf<'visit_day'>> {
  const date = dateText(day);
  const random = randomOf(brand, date, 'visits');
  for (const { path, daily } of pages) {
    for (const { share, ...source } of origins) {
      for (const { share: part, ...place } of countries) {
        const visits = Math.round(daily * elapsed * share * part * (0.6 + 0.8 * random.next()));
        if (visits > 0) yield { type: 'visit_day', brand, date, path, visits, ...source, ...place };
      }
    }
  }
}

// Generates the last crawl of the brand's own site.

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
