/** Every number of the contract that limits something. */

/** Token bucket per key: the whole bucket at once, then two requests a second. */
export const RATE_LIMIT = { perMinute: 120, refillPerSecond: 2 } as const;
export const PAGE_LIMIT = { minimum: 1, maximum: 200, default: 50 } as const;
export const WINDOW_DAYS = 7;
/** Days, counting today, whose runs are computed live. */
export const LIVE_HORIZON_DAYS = 56;
export const LOW_CONFIDENCE_BELOW_RUNS = 5;
/** Rows of the unpaged reads. */
export const CAPS = {
  sources: 20,
  urls: 50,
  answers: 200,
  names: 50,
  products: 30,
  ads: 200,
  quotes: 40,
  gaps: 50,
  moves: 50,
  referrals: 50,
} as const;
/** The answers that one request looks at for those that cite, name or say something. */
export const SEARCHED_ANSWERS = 50_000;
/** Rows of tools: of the tool that returns fewer than its REST read, and of reads without a REST path. */
export const TOOL_CAPS = {
  answers: 50,
  trackedPages: 200,
  threads: 50,
  fanouts: 50,
  slowestPages: 10,
  visitorRows: 20,
  winners: 3,
  gaps: 20,
  drivers: 10,
  moves: 20,
  referrals: 20,
} as const;
/** Drivers of a change. */
export const WHY_LIMIT = { minimum: 1, maximum: 200, default: 20 } as const;
/** Days after a day until which its visitors are told apart: log lines that come later count as page views only. */
export const VISITOR_DAYS = 3;
/** The values of `days`. */
export const WINDOW_PRESETS = [7, 14, 28, 56] as const;
/** Days whose runs reads need: the longest window that they may ask for. */
export const RUNS_NEEDED_DAYS = Math.max(LIVE_HORIZON_DAYS, ...WINDOW_PRESETS);
/** Limits of the effect of a mark: days of each window, days with answers that each needs, and prompts that the line of the controls needs. */
export const EFFECT_DAYS = { minimum: 7, maximum: 56, default: 28 } as const;
export const LEAST_EFFECT_DAYS = 7;
export const LEAST_CONTROLS = 8;
/** Days of a custom range, both ends included. */
export const RANGE_DAYS_MAX = 366;
export const FACT_CHECK_STALE_DAYS = 7;
/** Limits of a fact-check run: compared answers at most, runs that spend per brand and UTC day, seconds between two runs. */
export const FACT_CHECK_RUN = { answers: 8, perDay: 24, pauseSeconds: 5 } as const;
/** Engines’ ad units are captured since this day. */
export const AD_CAPTURE_BEGAN = '2026-07-01';
export const READ_CACHE_SECONDS = 3600;
export const SIGN_IN_LINK_MINUTES = 10;
/** Limits of links that show a brand without a key: days for which they work, and how many of a key may work at once. */
export const SHARE_LIMITS = { days: 90, maxDays: 366, perKey: 1000 } as const;
/** Bytes of a crawler-log body on the wire, and of what it holds once decompressed: 10 and 64 MiB. */
export const INGEST_LIMITS = { bodyBytes: 10_485_760, decodedBytes: 67_108_864 } as const;

/** The most runs per prompt, engine and region that the collector makes in a day. */
export const MAX_SAMPLES = 100;

/** Search queries that become prompts, if nothing else is said: more cost more than a first look should. */
export const MOST_QUERIES = 30;
