/** Files of the demo's sites, which do not exist: robots.txt, and an access log. */
import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RobotsState } from '../server/base/robots/fetch.js';
import { parseRobots } from '../server/base/robots/parse.js';
import { DAY_SECONDS, dateText, dayOf, daysFrom } from './data/calendar.js';
import { demoBrandId } from './data/index.js';
import { espresso } from './data/market.js';
import { randomOf } from './data/random.js';
import { crawlerEvents } from './data/site.js';

const torvello = `# Everyone may read the guides; search may read the shop.
User-agent: *
Disallow: /cart
Disallow: /account

User-agent: GPTBot
User-agent: ClaudeBot
Disallow: /parts
Disallow: /support

User-agent: OAI-SearchBot
User-agent: PerplexityBot
Allow: /

User-agent: CCBot
User-agent: Bytespider
Disallow: /
`;

/** One of each state of a check: a file, none, and a site that does not answer. */
const states: Readonly<Record<string, RobotsState>> = {
  'torvello.example': { state: 'ok', groups: parseRobots(torvello) },
  'aerisvane.example': { state: 'absent' },
};

/** Answers like the fetch of a robots.txt. */
export const demoRobots = async (domain: string): Promise<RobotsState> =>
  states[domain] ?? { state: 'error', reason: 'the demo has no such site' };

// An access log of the demo brand's site, of the week that ends now, to try `svc ingest` with.

const DAYS = 7;
const VISITORS_A_DAY = 220;

/** What crawlers send, by the keys of their agents. */
const crawlers: Readonly<Record<string, string>> = {
  gptbot:
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)',
  'oai-searchbot':
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot)',
  'chatgpt-user':
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ChatGPT-User/1.0; +https://openai.com/bot)',
  claudebot:
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'claude-user':
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
  perplexitybot:
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  'perplexity-user':
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Perplexity-User/1.0; +https://perplexity.ai/perplexity-user)',
  bingbot: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  ccbot: 'CCBot/2.0 (https://commoncrawl.org/faq/)',
};

const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
];
const referers = ['-', '-', 'https://www.google.com/', 'https://chatgpt.com/'];

interface Visit {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly path: string;
  readonly status: number;
  readonly userAgent: string;
  readonly referer: string;
}

function* crawlerVisits(day: number, now: Date): Generator<Visit> {
  // Another seed than that of the stored hits, so that shipping the log adds visits.
  for (const { agent, path, time, status } of crawlerEvents(`${demoBrandId} log`, day, now.toISOString())) {
    const userAgent = crawlers[agent];
    if (userAgent === undefined) continue;
    yield { time: Date.parse(time), path, status: status ?? 200, userAgent, referer: '-' };
  }
}

function* browserVisits(day: number, now: Date): Generator<Visit> {
  const random = randomOf(demoBrandId, dateText(day), 'browsers');
  for (let n = 0; n < VISITORS_A_DAY; n++) {
    const time = (day * DAY_SECONDS + random.integer(0, DAY_SECONDS - 1)) * 1000;
    const { path } = random.pick(espresso.site.paths);
    const [userAgent, referer] = [random.pick(browsers), random.pick(referers)];
    if (time <= now.getTime()) yield { time, path, status: 200, userAgent, referer };
  }
}

/** `22/Nov/2026:08:15:30 +0000`. */
export function clfTime(time: number): string {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}

/** Networks of name servers that only answer for private addresses (AS112): public, and nobody's browser is in them. */
const publicNetworks = ['192.31.196', '192.175.48'];
/** Networks that are reserved for documentation: nobody takes a crawler from them for a false one. */
const reserved = ['192.0.2', '198.51.100', '203.0.113'];

/** A line of the combined format. */
function lineOf({ time, path, status, userAgent, referer }: Visit): string {
  const random = randomOf(demoBrandId, time, path, userAgent);
  const networks = browsers.includes(userAgent) ? publicNetworks : reserved;
  const address = `${random.pick(networks)}.${random.integer(1, 254)}`;
  const bytes = status === 200 ? random.integer(4000, 60_000) : 0;
  return `${address} - - [${clfTime(time)}] "GET ${path} HTTP/1.1" ${status} ${bytes} "${referer}" "${userAgent}"\n`;
}

/** The log up to `now`, oldest line first. A day's lines depend only on that day. */
export function accessLog(now: Date): string {
  const today = dayOf(now);
  const visits = [...daysFrom(today - DAYS + 1, today)].flatMap((day) => [
    ...crawlerVisits(day, now),
    ...browserVisits(day, now),
  ]);
  return visits
    .sort((a, b) => a.time - b.time)
    .map(lineOf)
    .join('');
}

/** Writes the log into the demo's folder, and returns its path. */
export async function writeAccessLog(folder: string, now: Date): Promise<string> {
  const path = join(folder, 'access.log');
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, accessLog(now));
  await rename(draft, path);
  return path;
}
