/** Generates visits of AI crawlers to the brand's site. */
import type { RecordOf } from '../../server/dataset/records/index.js';
import { DAY_SECONDS, dateText, timeText } from './calendar.js';
import { sitePaths } from './espresso/sites.js';
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
