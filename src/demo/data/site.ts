/** Generates what happens on the brand's own site: visits of AI crawlers, visits of people, and its last crawl. */
import type { RecordOf } from '../../server/intake/dataset/records/index.js';
import { DAY_SECONDS, dateText, timeText } from './calendar.js';
import { espresso } from './market.js';
import { type Random, randomOf } from './random.js';

const { paths, crawlStart, gone, closed, botWalls, errors, untimed } = espresso.site;
type Habit = (typeof espresso.crawlers)[number];

interface Request {
  readonly path: string;
  readonly status: number;
}

function request(habit: Habit, random: Random): Request {
  const draw = random.next();
  if (!habit.isUserFetch && draw < 0.12) return { path: random.pick(crawlStart), status: 200 };
  if (draw < 0.16) return { path: random.pick(gone), status: random.pick([301, 404]) };
  if (draw < 0.18) return { path: random.pick(closed), status: 403 };
  const { path } = random.weighted(paths, ({ cited }) => 1 + (cited?.weight ?? 0));
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
  for (const habit of espresso.crawlers) {
    const random = randomOf(brand, dateText(day), habit.agent, 'hits');
    const verdicts = randomOf(brand, dateText(day), habit.agent, 'verdicts');
    const count = requestCount(habit, day, random);
    for (let i = 0; i < count; i++) {
      const time = timeText(day, random.integer(0, DAY_SECONDS - 1));
      const { path, status } = request(habit, random);
      const verified = verdicts.chance(0.04) ? null : !verdicts.chance(habit.spoofed ?? 0);
      if (time <= until) {
        const hit = { type: 'crawler_event' as const, brand, agent: habit.agent, path, time, status };
        yield habit.spoofed === undefined || verified === null ? hit : { ...hit, verified };
      }
    }
  }
}

// Generates the visits of users to the brand's site, as its tracking snippet counts them.

const { pages, origins, countries } = espresso.visits;

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

/**
 * The visits of a day that answers sent, as the log of the site tells of them: more than the snippet counts, which some browsers do not
 * run, and only those that the log shows.
 */
export function* referralDay(
  brand: string,
  day: number,
  elapsed: number,
): Generator<RecordOf<'referring_day' | 'referral_day'>> {
  const date = dateText(day);
  const random = randomOf(brand, date, 'referrals');
  const counted = new Map<string, number>();
  for (const { path, visits, ai_source } of visitDay(brand, day, elapsed)) {
    // The hosts of the demo begin with the key of their product.
    const product = ai_source?.split('.')[0];
    if (product) counted.set(`${product} ${path}`, (counted.get(`${product} ${path}`) ?? 0) + visits);
  }
  yield { type: 'referring_day', brand, date };
  for (const [key, count] of counted) {
    const [product = '', path = ''] = key.split(' ');
    const visits = Math.round(count * (1.02 + 0.1 * random.next()));
    const pageviews = Math.round(visits * (1 + 0.3 * random.next()));
    yield { type: 'referral_day', brand, date, product, path, visits, pageviews };
  }
}

// Generates the last crawl of the brand's own site.

const CRAWL_SECOND = 3 * 3600;

function outcome(path: string, random: Random) {
  if (botWalls.includes(path)) return { status: 403, bot_wall: true };
  const status = errors[path] ?? 200;
  if (untimed.includes(path)) return { status };
  const slow = path.startsWith('/compare') || path === '/products' ? 700 : 0;
  return { status, ttfb_ms: slow + random.integer(90, 480) };
}

export function* sitePages(brand: string, day: number): Generator<RecordOf<'site_page'>> {
  for (const [i, { path }] of paths.entries()) {
    const checked_at = timeText(day, CRAWL_SECOND + i * 2);
    yield {
      type: 'site_page',
      brand,
      url: `${espresso.site.url}${path}`,
      ...outcome(path, randomOf(brand, path, 'crawl')),
      checked_at,
    };
  }
}
